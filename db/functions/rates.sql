-- Rates: what is earned from when on.

/*
 * Each amount of a commission, and its end, as a rate. In the database, since commissions also end with their product,
 * their relationship and their companies; as its owner, since nobody else writes rates.
 */
create or replace function note_rate() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  -- Not now(), when the transaction began: of two that change one commission the later change counts. In milliseconds,
  -- as clicks are: what comes in the same one already finds it.
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
begin
  if tg_op = 'INSERT' then
    -- Only the owner of the database writes older ones: a demonstration, or rows from elsewhere.
    insert into rate (product_id, affiliate_id, commission_id, amount, valid_from)
      values (new.product_id, new.affiliate_id, new.id, new.payout,
        case when new.created_at < now() - interval '1 second' then new.created_at else moment end);
  elsif new.payout <> old.payout then
    insert into rate (product_id, affiliate_id, commission_id, amount, valid_from)
      values (new.product_id, new.affiliate_id, new.id, new.payout, moment);
  end if;
  if new.archived_at is not null and (tg_op = 'INSERT' or old.archived_at is null) then
    insert into rate (product_id, affiliate_id, commission_id, amount, valid_from)
      values (new.product_id, new.affiliate_id, new.id, null,
        case when new.archived_at < now() - interval '1 second' then new.archived_at else moment end);
  end if;
  return null;
end $$;

create or replace trigger note_rate after insert or update of payout, archived_at on commission
  for each row execute function note_rate();

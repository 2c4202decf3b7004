-- Rates: what is earned from when on.

/*
 * Each amount of a commission, and its end, as a rate. In the database, since commissions also end with their product,
 * their relationship and their companies; as its owner, since nobody else writes rates.
 */
create or replace function note_rate() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    -- Its own moment is rounded, and may lie in the future by half a millisecond.
    insert into rate (product_id, affiliate_id, commission_id, amount, valid_from)
      values (new.product_id, new.affiliate_id, new.id, new.payout, least(new.created_at, now()));
  elsif new.payout <> old.payout then
    insert into rate (product_id, affiliate_id, commission_id, amount, valid_from)
      values (new.product_id, new.affiliate_id, new.id, new.payout, now());
  end if;
  if new.archived_at is not null and (tg_op = 'INSERT' or old.archived_at is null) then
    insert into rate (product_id, affiliate_id, commission_id, amount, valid_from)
      values (new.product_id, new.affiliate_id, new.id, null, least(new.archived_at, now()));
  end if;
  return null;
end $$;

create or replace trigger note_rate after insert or update of payout, archived_at on commission
  for each row execute function note_rate();

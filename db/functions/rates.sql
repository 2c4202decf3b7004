-- Rates: what is earned from when on.

/*
 * Sets what a commission pays, from a moment to come or from now on. As its owner: nobody else writes rates, so that none
 * begins in the past. Not by now(), when the transaction began: of two that change one commission the later change
 * counts. In milliseconds, as clicks are: what comes in the same one already finds it.
 */
create or replace function set_rate(of_commission bigint, amount numeric, starts timestamptz default null)
  returns bigint language sql security definer set search_path = public, pg_temp as $$
  insert into rate (product_id, affiliate_id, commission_id, amount, valid_from)
    select product_id, affiliate_id, id, set_rate.amount,
      greatest(starts, date_trunc('milliseconds', clock_timestamp()))
    from commission where id = of_commission and archived_at is null
    returning id
$$;

/* Takes back a change that has not begun; whether it was one. The trail keeps it. */
create or replace function cancel_rate(of_rate bigint)
  returns boolean language sql security definer set search_path = public, pg_temp as $$
  with gone as (delete from rate where id = of_rate and valid_from > clock_timestamp() returning id)
    select exists (select from gone)
$$;

/*
 * A commission that ends pays nothing from then on, and nothing that was to come. In the database, since commissions also
 * end with their product, their relationship and their companies.
 */
create or replace function end_rate() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
begin
  delete from rate where product_id = new.product_id and affiliate_id = new.affiliate_id and commission_id = new.id
    and valid_from > moment;
  insert into rate (product_id, affiliate_id, commission_id, amount, valid_from)
    values (new.product_id, new.affiliate_id, new.id, null, moment);
  return null;
end $$;

create or replace trigger end_rate after update of archived_at on commission for each row
  when (new.archived_at is not null and old.archived_at is null) execute function end_rate();

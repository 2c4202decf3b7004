-- Rates: what is earned from when on.

/*
 * What an affiliate earns by a step of a product at a moment: no row where nothing. A rate of its own comes first, and one
 * of the step before one of all steps; where the last of a scope ended, the next scope counts. Each is one descent of
 * rate_scope_index: `is null` alone would not tell the planner the order, so it is written out.
 */
create or replace function rate_at(of_product bigint, of_affiliate bigint, of_step bigint, moment timestamptz)
  returns table (id bigint, commission_id bigint, event_step_id bigint, amount numeric, valid_from timestamptz) language sql stable
begin atomic
  select rate.id, rate.commission_id, rate.event_step_id, rate.amount, rate.valid_from from rate where rate.id = coalesce(
    (select last.id from (
      select rate.id, rate.amount from rate
      where product_id = of_product and affiliate_id = of_affiliate and rate.event_step_id = of_step and rate.valid_from <= moment
      order by rate.valid_from desc, rate.id desc limit 1
    ) as last where last.amount is not null),
    (select last.id from (
      select rate.id, rate.amount from rate
      where product_id = of_product and affiliate_id = of_affiliate and rate.event_step_id is null and rate.valid_from <= moment
      order by rate.event_step_id, rate.valid_from desc, rate.id desc limit 1
    ) as last where last.amount is not null),
    (select last.id from (
      select rate.id, rate.amount from rate
      where product_id = of_product and affiliate_id is null and rate.event_step_id = of_step and rate.valid_from <= moment
      order by affiliate_id, rate.valid_from desc, rate.id desc limit 1
    ) as last where last.amount is not null),
    (select last.id from (
      select rate.id, rate.amount from rate
      where product_id = of_product and affiliate_id is null and rate.event_step_id is null and rate.valid_from <= moment
      order by affiliate_id, rate.event_step_id, rate.valid_from desc, rate.id desc limit 1
    ) as last where last.amount is not null)
  );
end;

/*
 * For so many days the rate at the click counts (D77). Cards are approved some days after the click and, in a long tail,
 * two months after it; who keeps ids of clicks for longer keeps a rate that nobody pays any more.
 */
create or replace function click_rate_days() returns int language sql immutable return 90;

/*
 * What a step earns a lead of this click now: the better of the rates at the click, while that counts, and at this moment
 * (D77), if any.
 */
create or replace function earning_rate(of_product bigint, of_affiliate bigint, of_step bigint, clicked_at timestamptz)
  returns table (id bigint, commission_id bigint, amount numeric) language sql stable
begin atomic
  select either.id, either.commission_id, either.amount
  from (values (clicked_at), (statement_timestamp())) as moment (at)
  cross join lateral rate_at(of_product, of_affiliate, of_step, moment.at) as either
  where moment.at > statement_timestamp() - make_interval(days => click_rate_days())
  order by either.amount desc, either.id desc limit 1;
end;

/*
 * Sets what a commission pays, or a product those without one, by one step or by all; from a moment to come or from now
 * on. As its owner: nobody else writes rates, so that none begins in the past. Not by now(), when the transaction began:
 * of two that change one commission the later change counts. In milliseconds, as clicks are: what comes in the same one
 * already finds it.
 */
create or replace function set_rate(of_product bigint, of_commission bigint, of_step bigint, amount numeric,
    starts timestamptz default null)
  returns bigint language sql security definer set search_path = public, pg_temp as $$
  insert into rate (product_id, affiliate_id, commission_id, event_step_id, amount, valid_from)
    select product_id, affiliate_id, owner.id, of_step, set_rate.amount,
      greatest(starts, date_trunc('milliseconds', clock_timestamp()))
    from (
      select product_id, affiliate_id, id from commission
      where id = of_commission and product_id = of_product and archived_at is null
      union all
      select id, null, null from product where id = of_product and of_commission is null and archived_at is null
    ) as owner
    returning id
$$;

/*
 * Begins now what set_rate() set to begin never, early in a transaction: events see nothing of it until COMMIT, and earn what
 * was paid before.
 */
create or replace function begin_rate(of_rate bigint)
  returns void language sql security definer set search_path = public, pg_temp as $$
  update rate set valid_from = date_trunc('milliseconds', clock_timestamp()) where id = of_rate and valid_from = 'infinity'
$$;

/*
 * Takes back a change that has not begun; whether it was one. The trail keeps it. Not in its last seconds: an event that
 * comes before this commits would earn by a rate that is gone.
 */
create or replace function cancel_rate(of_rate bigint)
  returns boolean language sql security definer set search_path = public, pg_temp as $$
  with gone as (delete from rate where id = of_rate and valid_from > clock_timestamp() + interval '5 seconds' returning id)
    select exists (select from gone)
$$;

/*
 * Ends what a commission pays, or a product those without one: from now on, with what was to come. By one step, or by all
 * and with them by each. An event in the milliseconds before an announced change may have earned by it, and its entry then
 * names a rate that is gone: accepted, since an end cannot be refused as cancel_rate() refuses.
 */
create or replace function end_rates(of_product bigint, of_commission bigint, of_step bigint default null)
  returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
begin
  delete from rate where product_id = of_product and commission_id is not distinct from of_commission
    and (of_step is null or event_step_id = of_step) and valid_from > moment;
  insert into rate (product_id, affiliate_id, commission_id, event_step_id, amount, valid_from)
    select product_id, affiliate_id, commission_id, event_step_id, null, moment from (
      select distinct on (event_step_id) * from rate
      where product_id = of_product and commission_id is not distinct from of_commission
        and (of_step is null or event_step_id = of_step)
      order by event_step_id, valid_from desc, id desc
    ) as last where amount is not null;
end $$;

/* In the database, since commissions also end with their product, their relationship and their companies. */
create or replace function end_rate() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  perform end_rates(new.product_id, new.id);
  return null;
end $$;

create or replace trigger end_rate after update of archived_at on commission for each row
  when (new.archived_at is not null and old.archived_at is null) execute function end_rate();

/*
 * Begins again what a commission paid until it ended, by all steps and by each, from now on. What was ended before stays
 * ended, and what was to come is not announced anew.
 */
create or replace function resume_rates(of_commission bigint)
  returns table (event_step_id bigint, amount numeric) language sql security definer set search_path = public, pg_temp as $$
  insert into rate (product_id, affiliate_id, commission_id, event_step_id, amount, valid_from)
    select product_id, affiliate_id, commission_id, event_step_id, before, date_trunc('milliseconds', clock_timestamp()) from (
      select rate.*, lag(rate.amount) over scope as before, lead(rate.id) over scope as after,
        -- end_rates() ends all of them at one moment.
        max(valid_from) over () as ended_at
      from commission join rate on rate.product_id = commission.product_id and rate.affiliate_id = commission.affiliate_id
        and commission_id = commission.id
      where commission.id = of_commission and archived_at is null
      window scope as (partition by rate.event_step_id order by valid_from, rate.id)
    ) as version where amount is null and after is null and valid_from = ended_at
    returning event_step_id, amount
$$;

create or replace function end_default_rate() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  perform end_rates(new.id, null);
  return null;
end $$;

create or replace trigger end_default_rate after update of archived_at on product for each row
  when (new.archived_at is not null and old.archived_at is null) execute function end_default_rate();

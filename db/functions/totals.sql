-- Totals: the transaction of a fact inserts what it adds or subtracts into total_delta; fold_totals() folds that.

/* What entries add to the day they were earned on; an update subtracts their state before. */
create or replace function count_entries() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  insert into total_delta (day, affiliate_id, issuer_id, product_id, conversions, accrued, in_payment, paid, reversed)
    select * from entry_sums(array(select after::commission_entry from after), 1);
  if tg_op = 'UPDATE' then
    insert into total_delta (day, affiliate_id, issuer_id, product_id, conversions, accrued, in_payment, paid, reversed)
      select * from entry_sums(array(select before::commission_entry from before), -1);
  end if;
  return null;
end $$;

create or replace function entry_sums(entries commission_entry[], sign int) returns table (day date, affiliate_id bigint,
  issuer_id bigint, product_id bigint, conversions bigint, accrued numeric, in_payment numeric, paid numeric, reversed numeric)
  language sql stable
begin atomic
  select mexico_day(earned_at), affiliate_id, issuer_id, coalesce(product_id, 0),
    sign * coalesce(sum(converts) filter (where state <> 'reversed'), 0),
    sign * coalesce(sum(amount) filter (where state = 'accrued'), 0),
    sign * coalesce(sum(amount) filter (where state = 'in_payment'), 0),
    sign * coalesce(sum(amount) filter (where state = 'paid'), 0),
    sign * coalesce(sum(amount) filter (where state = 'reversed'), 0)
  from unnest(entries) group by 1, 2, 3, 4;
end;

create or replace trigger count_entries after insert on commission_entry referencing new table as after
  for each statement execute function count_entries();
create or replace trigger count_changed_entries after update on commission_entry
  referencing old table as before new table as after for each statement execute function count_entries();

/* The transaction of an event holds the lock of its lead, so no other stores the same first event. */
create or replace function count_reached() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  tracking_ids uuid[] := array(select tracking_id from added);
begin
  insert into total_delta (day, affiliate_id, issuer_id, product_id, step_id, events, reached)
    select change.day, lead.affiliate_id, lead.issuer_id, lead.product_id, added.step_id,
      sum(change.events), sum(change.reached)
    from added
    join (select * from lead where tracking_id = any(tracking_ids)) as lead using (tracking_id)
    cross join lateral (values (mexico_day(added.created_at), 1, 0), (mexico_day(lead.created_at), 0, 1))
      as change (day, events, reached)
    left join lateral (
      select true as exists from lead_event as earlier
      where earlier.lead_id = added.lead_id and earlier.step_id = added.step_id and earlier.id < added.id
        and not earlier.is_voided limit 1
    ) as earlier on true
    where earlier.exists is null
    group by 1, 2, 3, 4, 5;
  return null;
end $$;
create or replace trigger count_reached after insert on lead_event referencing new table as added
  for each statement execute function count_reached();

/*
 * Folds the oldest rows of total_delta into `total`, `at_most` of them; returns their number. What `total` holds:
 *
 *   leads, conversions, commission   of an affiliate, issuer and product together   by day and by month
 *                                    of each of the three alone, the others 0       by day
 *                                    of the whole network, all three 0              by day
 *   commission of no product         of an affiliate and issuer, the product 0      by day and by month
 *   events and leads of a step       of an affiliate, issuer and product together   by day
 *
 * Readers see the state before or after. One caller at a time; rows committed meanwhile wait for the next call.
 */
create or replace function fold_totals(at_most int) returns bigint language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  folded bigint;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('fold_totals', 0)) then return 0; end if;
  with gone as (
    -- As an array: a join might compare every row with all, since the table was small when it was analyzed.
    delete from total_delta where id = any(array(select id from total_delta order by id limit at_most)) returning *
  ), part as (
    select day, affiliate_id, issuer_id, product_id, step_id, sum(leads)::int8 as leads,
      sum(conversions)::int8 as conversions, sum(accrued) as accrued, sum(in_payment) as in_payment, sum(paid) as paid,
      sum(reversed) as reversed, sum(events)::int8 as events, sum(reached)::int8 as reached
    from gone group by 1, 2, 3, 4, 5
  ), keyed as (
    select key.grain, case key.grain when 'day' then day else date_trunc('month', day::timestamp)::date end as first_day,
      key.affiliate_id, key.issuer_id, key.product_id, step_id, sum(leads), sum(conversions), sum(accrued),
      sum(in_payment), sum(paid), sum(reversed), sum(events), sum(reached)
    from part
    cross join lateral (values ('day', affiliate_id, issuer_id, product_id, true),
      ('month', affiliate_id, issuer_id, product_id, false), ('day', 0, 0, 0, false), ('day', affiliate_id, 0, 0, false),
      ('day', 0, issuer_id, 0, false), ('day', 0, 0, nullif(product_id, 0), false)
    ) as key (grain, affiliate_id, issuer_id, product_id, is_of_steps)
    where (step_id = 0 or is_of_steps) and key.product_id is not null
    group by 1, 2, 3, 4, 5, 6
    order by 1, 3, 4, 5, 6, 2 -- as the key: its pages are then written one after another
  ), added as (
    insert into total as sums (grain, first_day, affiliate_id, issuer_id, product_id, step_id, leads, conversions, accrued,
      in_payment, paid, reversed, events, reached)
    select * from keyed
      on conflict (grain, affiliate_id, issuer_id, product_id, step_id, first_day) do update set
        leads = sums.leads + excluded.leads,
        conversions = sums.conversions + excluded.conversions,
        accrued = sums.accrued + excluded.accrued,
        in_payment = sums.in_payment + excluded.in_payment,
        paid = sums.paid + excluded.paid,
        reversed = sums.reversed + excluded.reversed,
        events = sums.events + excluded.events,
        reached = sums.reached + excluded.reached
  )
  select count(*) into folded from gone;
  return folded;
end $$;

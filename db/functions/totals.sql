-- Totals: the transaction of a fact inserts what it adds or takes away into total_delta; fold_totals() adds that up.

/* What entries add to the day they were earned on; what they were before is taken away again. */
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
  select mexico_day(earned_at), affiliate_id, issuer_id, product_id,
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

/* Whoever stores an event holds the lock of its lead, so nobody else is storing the same first one. */
create or replace function count_reached() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  insert into total_delta (day, affiliate_id, issuer_id, product_id, step_id, reached, clicks_reached)
    select change.day, lead.affiliate_id, lead.issuer_id, lead.product_id, added.step_id,
      sum(change.reached), sum(change.clicks_reached)
    from added
    join lead using (tracking_id)
    cross join lateral (values (mexico_day(added.created_at), 1, 0), (mexico_day(lead.created_at), 0, 1))
      as change (day, reached, clicks_reached)
    left join lateral (
      select true as exists from lead_event as earlier
      where earlier.lead_id = added.lead_id and earlier.step_id = added.step_id and earlier.id < added.id limit 1
    ) as earlier on true
    where earlier.exists is null
    group by 1, 2, 3, 4, 5;
  return null;
end $$;
create or replace trigger count_reached after insert on lead_event referencing new table as added
  for each statement execute function count_reached();

/*
 * Adds up the oldest rows of total_delta, `at_most` of them; how many they were. A reader sees them before or after. One
 * caller at a time; rows that are committed meanwhile wait for the next call.
 */
create or replace function fold_totals(at_most int) returns bigint language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  folded bigint;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('fold_totals', 0)) then return 0; end if;
  with gone as (
    delete from total_delta where id in (select id from total_delta order by id limit at_most) returning *
  ), part as (
    select day, affiliate_id, issuer_id, product_id, step_id, sum(leads) as leads, sum(conversions) as conversions,
      sum(accrued) as accrued, sum(in_payment) as in_payment, sum(paid) as paid, sum(reversed) as reversed,
      sum(reached) as reached, sum(clicks_reached) as clicks_reached
    from gone group by 1, 2, 3, 4, 5
  ), keyed as (
    select grain, case grain when 'day' then day else date_trunc('month', day::timestamp)::date end as first_day,
      party.affiliate_id, party.issuer_id, party.product_id, step_id, sum(leads), sum(conversions), sum(accrued),
      sum(in_payment), sum(paid), sum(reversed), sum(reached), sum(clicks_reached)
    from part
    cross join (values ('day'), ('month')) as grains (grain)
    cross join lateral (values (affiliate_id, issuer_id, product_id), (0, 0, 0), (affiliate_id, 0, 0), (0, issuer_id, 0),
      (0, 0, product_id)) as party (affiliate_id, issuer_id, product_id)
    group by 1, 2, 3, 4, 5, 6
    order by 1, 2, 3, 4, 5, 6
  ), added as (
    insert into total as sums select * from keyed
      on conflict (grain, affiliate_id, issuer_id, product_id, step_id, first_day) do update set
        leads = sums.leads + excluded.leads,
        conversions = sums.conversions + excluded.conversions,
        accrued = sums.accrued + excluded.accrued,
        in_payment = sums.in_payment + excluded.in_payment,
        paid = sums.paid + excluded.paid,
        reversed = sums.reversed + excluded.reversed,
        reached = sums.reached + excluded.reached,
        clicks_reached = sums.clicks_reached + excluded.clicks_reached
  )
  select count(*) into folded from gone;
  return folded;
end $$;

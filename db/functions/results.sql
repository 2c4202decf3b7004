-- Results by where leads came from (decision 13): facts insert what changes, fold_results() adds that up in `result`.
-- Only who holds the right of hold_results() writes `result` and `result_lead`; it is asked for before any row of a lead.

/* The values that a lead is counted under, beside all leads (0). */
create or replace function result_values(utm_source text, utm_medium text, utm_campaign text, utm_content text,
  utm_term text, lead_data jsonb) returns table (slot smallint, value text) language sql immutable
begin atomic
  select slot::smallint, value from (values (0, ''), (1, utm_source), (2, utm_medium), (3, utm_campaign),
    (4, utm_content), (5, utm_term),
    (6, lead_data #>> '{params,sub1}'), (7, lead_data #>> '{params,sub2}'), (8, lead_data #>> '{params,sub3}'),
    (9, lead_data #>> '{params,sub4}'), (10, lead_data #>> '{params,sub5}'), (11, lead_data #>> '{params,sub6}'),
    (12, lead_data #>> '{params,sub7}'), (13, lead_data #>> '{params,sub8}'), (14, lead_data #>> '{params,sub9}'),
    (15, lead_data #>> '{params,sub10}')) as part (slot, value)
  where slot = 0 or value <> '';
end;

/* How many values of an affiliate, day and slot have rows of their own; the rest of them share one. */
create or replace function result_values_max() returns int language sql immutable return 2000;

/* Waits for the right to write results, until the transaction ends. */
create or replace function hold_results() returns void language sql volatile
begin atomic
  select pg_advisory_xact_lock(hashtextextended('fold_results', 0));
end;

/* Events that decide what a lead became. Those of its steps before do not. */
create or replace function queue_results() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  insert into result_change (tracking_id)
    select distinct tracking_id from added where event_type_name in ('aprobado', 'entregado', 'rechazado');
  return null;
end $$;
create or replace trigger queue_results after insert on lead_event referencing new table as added
  for each statement execute function queue_results();

/* A rejection that is taken back, an event that is voided. */
create or replace function queue_ruled_results() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  insert into result_change (tracking_id) select distinct tracking_id from added;
  return null;
end $$;
create or replace trigger queue_ruled_results after insert on lead_ruling referencing new table as added
  for each statement execute function queue_ruled_results();

create or replace function queue_earned_results() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  insert into result_change (tracking_id)
    select distinct tracking_id from after where state <> 'reversed' and lead_id is not null;
  return null;
end $$;
create or replace trigger queue_earned_results after insert on commission_entry referencing new table as after
  for each statement execute function queue_earned_results();

/* An entry that moves into a payment or out of it is earned as before. */
create or replace function queue_changed_results() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  insert into result_change (tracking_id)
    select distinct after.tracking_id from after join before using (id)
    where (after.state = 'reversed', after.amount) <> (before.state = 'reversed', before.amount)
      and after.lead_id is not null;
  return null;
end $$;
create or replace trigger queue_changed_results after update on commission_entry
  referencing old table as before new table as after for each statement execute function queue_changed_results();

/*
 * What leads became since it was last counted. Approved: the issuer approved or delivered it and no rejection of it stands.
 * Earned: what is not reversed. As in standing_of(), but that a payment changes nothing.
 */
create or replace function result_differences(tracking_ids uuid[]) returns table (lead_id bigint, tracking_id uuid,
  is_approved boolean, is_rejected boolean, has_earned numeric, approved int, rejected int, earned numeric) language sql stable
begin atomic
  select id, tracking_id, now.approved, now.rejected, now.earned,
    now.approved::int - coalesce(counted.approved, false)::int,
    now.rejected::int - coalesce(counted.rejected, false)::int,
    now.earned - coalesce(counted.earned, 0)
  from (select id, tracking_id from lead where tracking_id = any(tracking_ids)) as changed
  cross join lateral (
    select coalesce(bool_or(event_type_name in ('aprobado', 'entregado')), false) and not standing.rejected as approved,
      standing.rejected
    from (select exists (select from rejection_of(changed.id)) as rejected) as standing
    left join lead_event on lead_event.lead_id = changed.id and not is_voided
    group by standing.rejected
  ) as told
  cross join lateral (
    select coalesce(sum(amount), 0.00) as sum from commission_entry
    where commission_entry.lead_id = changed.id and state <> 'reversed'
  ) as ledger
  cross join lateral (select told.approved, told.rejected, ledger.sum as earned) as now
  left join lateral (select * from result_lead where result_lead.lead_id = changed.id limit 1) as counted on true
  where (now.approved, now.rejected, now.earned)
    <> (coalesce(counted.approved, false), coalesce(counted.rejected, false), coalesce(counted.earned, 0));
end;

/*
 * Sums of deltas under the values that `result` knows them by: a value without a row gets one while there is room, the
 * more frequent first. Once the rest has a row nothing gets one any more, so that no value is in both.
 */
create or replace function place_results(deltas result_delta[]) returns table (day date, affiliate_id bigint,
  issuer_id bigint, product_id bigint, slot smallint, value text, leads bigint, approved bigint, rejected bigint,
  earned numeric) language sql stable
begin atomic
  -- Without a join of the deltas to themselves: the planner takes an array for ten rows.
  with part as (
    select day, affiliate_id, issuer_id, product_id, slot, value, sum(leads)::int8 as leads,
      sum(approved)::int8 as approved, sum(rejected)::int8 as rejected, sum(earned) as earned
    from unnest(deltas) group by 1, 2, 3, 4, 5, 6
  ), told as (
    select *, sum(leads) over (partition by day, affiliate_id, slot, value) as leads_of_value,
      value <> '' and (select true from result as known where known.affiliate_id = part.affiliate_id
        and known.slot = part.slot and known.day = part.day and known.value = part.value limit 1) is null as is_fresh
    from part
  ), ranked as (
    select *, row_number() over ranks as line, dense_rank() over ranks as place
    from told
    window ranks as (partition by day, affiliate_id, slot order by is_fresh desc, leads_of_value desc, value)
  ), first as (
    select *, case when line = 1 and is_fresh then case
      when exists (select from result as rest where rest.affiliate_id = ranked.affiliate_id and rest.slot = ranked.slot
        and rest.day = ranked.day and rest.value = '') then 0
      else (
        select result_values_max() - count(distinct value) from result as known
        where known.affiliate_id = ranked.affiliate_id and known.slot = ranked.slot and known.day = ranked.day
      ) end
    end as room_at_first
    from ranked
  ), placed as (
    select *, is_fresh and place > max(room_at_first) over (partition by day, affiliate_id, slot) as is_beyond from first
  )
  select day, affiliate_id, issuer_id, product_id, slot, case when is_beyond then '' else value end,
    sum(leads)::int8, sum(approved)::int8, sum(rejected)::int8, sum(earned)
  from placed
  group by 1, 2, 3, 4, 5, 6;
end;

/*
 * Counts what the oldest changed leads became, `at_most` of them, and adds the oldest deltas to `result`, ten times as many,
 * since the values that an affiliate has are counted once for all of them. Returns how much of `at_most` that was, zero
 * when nothing is left. Readers see the state before or after. One caller at a time, who waits for nobody.
 */
create or replace function fold_results(at_most int) returns bigint language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  changed bigint;
  folded bigint;
  changed_ids uuid[];
  emptied result[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended('fold_results', 0)) then return 0; end if;
  with gone as (
    delete from result_change where id = any(array(select id from result_change order by id limit at_most))
    returning tracking_id
  ) select count(*), array_agg(distinct tracking_id) into changed, changed_ids from gone;
  if changed > 0 then
    with difference as materialized (
      select * from result_differences(changed_ids)
    ), noted as (
      insert into result_lead as noted (lead_id, approved, rejected, earned)
      select lead_id, is_approved, is_rejected, has_earned from difference order by lead_id
      on conflict (lead_id) do update set
        approved = excluded.approved, rejected = excluded.rejected, earned = excluded.earned
    )
    insert into result_delta (day, affiliate_id, issuer_id, product_id, slot, value, approved, rejected, earned)
      select mexico_day(created_at), affiliate_id, issuer_id, product_id, slot, value, sum(approved), sum(rejected), sum(earned)
      from difference
      cross join lateral (select * from lead where lead.tracking_id = difference.tracking_id limit 1) as lead
      cross join lateral result_values(utm_source, utm_medium, utm_campaign, utm_content, utm_term, lead_data)
      group by 1, 2, 3, 4, 5, 6;
  end if;
  with gone as (
    delete from result_delta where id = any(array(select id from result_delta order by id limit 10 * at_most)) returning result_delta
  ), added as (
    insert into result as sums (day, affiliate_id, issuer_id, product_id, slot, value, leads, approved, rejected, earned)
    select * from place_results(array(select result_delta from gone))
    order by affiliate_id, slot, day, value, issuer_id, product_id
      on conflict (affiliate_id, slot, day, value, issuer_id, product_id) do update set
        leads = sums.leads + excluded.leads,
        approved = sums.approved + excluded.approved,
        rejected = sums.rejected + excluded.rejected,
        earned = sums.earned + excluded.earned
    returning sums as one, value <> '' and (leads, approved, rejected, earned) = (0, 0, 0, 0) as is_empty
  )
  select (select count(*) from gone), array(select one from added where is_empty) into folded, emptied;
  -- A value that no lead has any more, since they were erased.
  delete from result using unnest(emptied) as gone
    where (result.affiliate_id, result.slot, result.day, result.value, result.issuer_id, result.product_id)
      = (gone.affiliate_id, gone.slot, gone.day, gone.value, gone.issuer_id, gone.product_id);
  return greatest(changed, ceil(folded / 10.0));
end $$;

/*
 * Moves what a lead counts for from its values before a change, as result_values() gave them, to those it has now. The
 * caller holds the right to write results since before it locked the lead, and has changed the lead: so no other closes
 * its partition meanwhile.
 */
create or replace function move_results(moved uuid, before jsonb) returns void language sql volatile security definer
  set search_path = public, pg_temp
begin atomic
  insert into result_delta (day, affiliate_id, issuer_id, product_id, slot, value, leads, approved, rejected, earned)
    select mexico_day(created_at), affiliate_id, issuer_id, product_id, part.slot, part.value,
      sign * (tracking_id < first_uncounted_id())::int, sign * coalesce(approved, false)::int,
      sign * coalesce(rejected, false)::int, sign * coalesce(earned, 0)
    from lead left join result_lead on lead_id = lead.id
    cross join lateral (
      select -1 as sign, slot, value from jsonb_to_recordset(before) as known (slot smallint, value text)
      union all
      select 1, slot, value from result_values(utm_source, utm_medium, utm_campaign, utm_content, utm_term, lead_data)
    ) as part
    where tracking_id = moved and part.slot <> 0;
end;

/* The days to which leads have lost where they came from and what they said (server/privacy/retention.ts); -infinity: none. */
create or replace function erased_days() returns table (of_origin date, of_data date) language sql stable
begin atomic
  select coalesce(max(day) filter (where task = 'lead.origin'), '-infinity'), coalesce(max(day), '-infinity')
  from (select task, mexico_day(moment_of(through::uuid)) as day from retention
    where task in ('lead.lead_data', 'lead.origin')) as done;
end;

/* Where values of days before those are. Slot by slot, in the order of days: of the index only what is returned is read. */
create or replace function forgettable_results(of_origin date, of_data date, at_most int) returns setof tid language sql stable
begin atomic
  select due.place from generate_series(1, 15) as one (slot)
  cross join lateral (
    select result.ctid as place from result
    where result.slot = one.slot and day < case when one.slot <= 5 then of_origin else of_data end
    order by day limit at_most
  ) as due
  limit at_most;
end;

/*
 * Deletes the values of days of which all leads have lost theirs, `at_most` of them; returns their number. What they
 * counted for stays in the row of all leads.
 */
create or replace function forget_results(at_most int) returns bigint language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  erased record;
  forgotten bigint;
begin
  select * into erased from erased_days();
  -- Folding does not wait for this where there is nothing to delete, which is nearly always.
  if not exists (select from forgettable_results(erased.of_origin, erased.of_data, 1)) then return 0; end if;
  perform hold_results();
  with gone as (
    delete from result where ctid = any(array(
      select place from forgettable_results(erased.of_origin, erased.of_data, at_most) as place))
    returning 1
  ) select count(*) into forgotten from gone;
  return forgotten;
end $$;

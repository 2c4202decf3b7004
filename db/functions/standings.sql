-- The state of a lead, which is how far it came, and what it earned, for lists and files. The standing of an entry is in
-- server/ledger/standing.ts.

/*
 * A rejection counts whenever it came, until it is taken back (rejection_of); a voided event does not. A lead is paid while all that it earned and kept is; what it
 * earns later makes it approved again.
 */
create or replace function standing_of(of_lead bigint) returns table (state text, amount numeric) language sql stable
begin atomic
  select
    case
      when told.types is null then 'click'
      when 'rechazado' = any(told.types) and exists (select from rejection_of(of_lead)) then 'rejected'
      when earned.is_paid then 'paid'
      when told.types && '{aprobado,entregado}' then 'approved'
      else 'in_process'
    end,
    earned.amount
  from (select array_agg(distinct event_type_name) as types from lead_event
    where lead_id = of_lead and not is_voided) as told
  cross join (
    select sum(entry.amount) as amount, bool_and(entry.state = 'paid') as is_paid
    from commission_entry as entry where lead_id = of_lead and entry.state <> 'reversed'
  ) as earned;
end;

/*
 * The leads of lead_state_due with their state at this moment, few of them unless something was loaded in bulk. Whoever
 * reads `lead_state` leaves these out and reads them here: then nothing shows that it is filed a moment later.
 */
create or replace function due_leads()
  returns table (tracking_id uuid, affiliate_id bigint, issuer_id bigint, product_id bigint, state text)
  language plpgsql stable rows 20 as $$
#variable_conflict use_column
begin
  if not exists (select from lead_state_due) then return; end if;
  return query
    select lead.tracking_id, affiliate_id, issuer_id, product_id, standing.state
    from lead cross join lateral standing_of(lead.id) as standing
    where lead.tracking_id = any(array(select tracking_id from lead_state_due));
end $$;

/*
 * Files the states of the leads that the oldest rows of lead_state_due name, `at_most` of them; returns their number.
 * One caller at a time; a row that is committed meanwhile waits for the next call.
 */
create or replace function file_lead_states(at_most int) returns bigint language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  filed bigint;
  tracking_ids uuid[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended('file_lead_states', 0)) then return 0; end if;
  with gone as (
    delete from lead_state_due where id = any(array(select id from lead_state_due order by id limit at_most))
    returning tracking_id
  )
  select count(*), array_agg(distinct tracking_id) into filed, tracking_ids from gone;
  if filed = 0 then return 0; end if;
  -- Before the snapshot of the next statement: one from before a merge of partitions would not see the merged leads.
  lock table only lead in access share mode;
  with stood as (
    select tracking_id, affiliate_id, issuer_id, product_id, standing.state
    from lead cross join lateral standing_of(lead.id) as standing
    where tracking_id = any(tracking_ids)
  ), fallen as (
    -- All its events were voided.
    delete from lead_state using stood where lead_state.tracking_id = stood.tracking_id and stood.state = 'click'
  )
  insert into lead_state as known (tracking_id, affiliate_id, issuer_id, product_id, state)
    select * from stood where state <> 'click'
    on conflict (tracking_id) do update set state = excluded.state where known.state <> excluded.state;
  return filed;
end $$;

-- Events of leads and what they earn, in one call: one round trip per statement would cost more than the work.

/*
 * The events of an issuer under these keys. By the key alone first: of an issuer whose events came since the table was
 * analyzed PostgreSQL expects one row, and would read all of them for each key.
 */
create or replace function events_under(of_issuer bigint, keys text[]) returns setof lead_event
  language sql stable rows 1 as $$
  with under as materialized (select * from lead_event where idempotency_key = any(keys))
  select * from under where issuer_id = of_issuer
$$;

/*
 * Stores events of one issuer, no two of a lead or key, and the entries that they earn or reverse. `sent` holds rows
 * of rowOf() in server/events/rows.ts. Returns a row per stored event, with its entry if it earned one; the key of an
 * event without a row was taken already.
 */
create or replace function store_events(sender bigint, sent jsonb)
  returns table (place int, id bigint, amount numeric, state text) language plpgsql as $$
#variable_conflict use_column
declare
  moved bigint[];
  tracking_ids uuid[];
begin
  -- Before any row lock, so that readers that wait for it cannot deadlock (lookup.ts).
  perform pg_advisory_xact_lock_shared(hashtextextended('lead_event ' || sender, 0));
  -- In one order, so that two calls never deadlock. The lock serializes the events of a lead everywhere.
  -- As an array: a join would open every partition.
  tracking_ids := array(select tracking_id from jsonb_to_recordset(sent) as said (tracking_id uuid));
  perform from lead where tracking_id = any(tracking_ids) order by tracking_id for no key update;
  return query
    with said as (
      select * from jsonb_to_recordset(sent) as said (
        place int, lead_id bigint, tracking_id uuid, relationship_id bigint, affiliate_id bigint, product_id bigint,
        step_id bigint, step_name text, event_type_id bigint, event_type_name text, earns boolean, source text,
        event_data jsonb, event_id text, occurred_at timestamptz, clock_skew boolean, idempotency_key text, fingerprint text, sent_from text,
        receipt jsonb, reason_code text, clicked_at timestamptz)
    ), stored as (
      insert into lead_event (lead_id, tracking_id, issuer_id, step_id, step_name, event_type_id, event_type_name, source,
        event_data, event_id, occurred_at, clock_skew, idempotency_key, fingerprint, sent_from, receipt, reason_code)
      select lead_id, tracking_id, sender, step_id, step_name, event_type_id, event_type_name, source,
        event_data, event_id, occurred_at, clock_skew, idempotency_key, decode(fingerprint, 'hex'), sent_from, receipt,
        said.reason_code
      from said order by place
      on conflict (issuer_id, idempotency_key) do nothing
      returning id, idempotency_key
    ), earned as (
      -- Once per lead and step for ever. On a rejected lead the entry is reversed from the start, so that the order of
      -- arrival does not matter.
      insert into commission_entry (lead_id, tracking_id, step_id, lead_event_id, commission_id, rate_id, relationship_id,
        affiliate_id, issuer_id, product_id, amount, state, reason, reason_code, converts, due_on, validation_ends_on)
      select lead_id, tracking_id, step_id, stored.id, best.commission_id, best.id, said.relationship_id,
        said.affiliate_id, sender, said.product_id, best.amount,
        case when rejection.step_name is null then 'accrued' else 'reversed' end,
        'Lead rechazado: ' || rejection.step_name, rejection.reason_code,
        case when exists (
          select from commission_entry as other where other.lead_id = said.lead_id and other.reversal_of is null
        ) then 0 else 1 end,
        case term.validation when 'explicit' then 'infinity'::date else mexico_day(now()) + term.validation_days end,
        mexico_day(now()) + term.validation_days
      from stored join said using (idempotency_key)
      cross join lateral earning_rate(said.product_id, said.affiliate_id, said.step_id, clicked_at) as best
      -- While it is this pair's: what is agreed after it went to another one is not for these leads (D24).
      left join relationship as own
        on own.id = said.relationship_id and own.affiliate_id = said.affiliate_id and own.issuer_id = sender
      cross join lateral term_of(sender, said.product_id, own.id, mexico_day(now())) as term
      left join rejection_of(said.lead_id) as rejection on true
      -- Looked up for each event, like the commission: as a `not exists` it would read the entries of all leads.
      left join earned_by(said.lead_id, said.step_id) as known (entry_id, by_step) on true
      where earns and known.entry_id is null
      order by place
      on conflict (lead_id, step_id) where reversal_of is null do nothing
      returning id, lead_event_id, amount, state
    ), made as materialized (
      select place, stored.id, earned.id as entry_id, earned.amount, earned.state, affiliate_id, product_id, tracking_id
      from stored join said using (idempotency_key) left join earned on lead_event_id = stored.id
    ), announced as (
      -- One for the event and what it earned: make_deliveries() tells it as commission.accrued where only that is asked for.
      insert into occurrence (type, affiliate_id, issuer_id, product_id, tracking_id, event_id, entry_id)
      select 'lead.event', affiliate_id, sender, product_id, tracking_id, id, case state when 'accrued' then entry_id end
      from made order by place
    )
    select place, id, amount, state from made;
  -- Where an event was voided, another of its step gives back what it earned.
  moved := array(
    select lead_id from jsonb_to_recordset(sent) as said (lead_id bigint, event_type_name text)
    where event_type_name = 'rechazado' or exists (
      select from lead_ruling where lead_ruling.lead_id = said.lead_id and kind = 'void')
  );
  if moved <> '{}' then perform settle_leads(moved, 'Se reportó de nuevo'); end if;
end $$;

/* The rejection that stands: the first of those that nobody took back or voided. No row for a lead that is not rejected. */
create or replace function rejection_of(of_lead bigint) returns table (id bigint, step_name text, reason_code text)
  language sql stable
begin atomic
  select event.id, event.step_name, event.reason_code from lead_event as event
  where event.lead_id = of_lead and event.event_type_name = 'rechazado' and not event.is_voided and event.id > coalesce(
    (select max(through_event_id) from lead_ruling where lead_ruling.lead_id = of_lead and not lead_ruling.is_voided), 0)
  order by event.id limit 1;
end;

/*
 * What is odd about an approval (D88): an earlier one of its step stands, or its lead was rejected before it and nobody took
 * that back. Nothing for any other event.
 */
create or replace function approval_warnings(of_event bigint) returns text[] language sql stable
begin atomic
  select array_remove(array[
    case when exists (
      select from lead_event as other join event_step as reached on reached.id = other.step_id
      where other.lead_id = event.lead_id and other.id < event.id and not other.is_voided
        and other.event_type_id = event.event_type_id
        -- A step made after another of its type was archived is the same promise.
        and (other.step_id = event.step_id or reached.archived_at <= step.created_at)
    ) then 'SECOND_APPROVAL' end,
    case when rejection.id < event.id then 'REJECTED_BEFORE' end
  ], null)
  from lead_event as event join event_step as step on step.id = event.step_id
  left join rejection_of(event.lead_id) as rejection on true
  where event.id = of_event and event.event_type_name = 'aprobado' and not event.is_voided;
end;

/* What may be told of a reason to whoever is not the issuer: of a person's finances that it was about them (LFPDPPP, article 7). */
create or replace function public_label(reason reject_reason) returns text language sql immutable
  return case when reason.is_financial then reason.group_label else reason.label end;

/* An advice for one reason tells which one it was: those about a person's finances have one in common. */
create or replace function public_advice(reason reject_reason) returns text language sql immutable
  return case when reason.is_financial
    then 'El emisor no da más detalle: promueve el producto entre quienes cumplen sus requisitos.'
    else reason.advice end;

/* Whether events of a lead at a step were voided, and none is left. */
create or replace function is_step_void(of_lead bigint, of_step bigint) returns boolean language sql stable
begin atomic
  select coalesce((select bool_and(is_voided) from lead_event where lead_id = of_lead and step_id = of_step), false);
end;

/*
 * What a lead has earned by a step, for which the step earns nothing more. A step made after another of its type was
 * archived is the same promise, unless that one is void, by which nothing can stand again; of two that stood side by side
 * each pays, also when one of them is archived.
 */
create or replace function earned_by(of_lead bigint, of_step bigint) returns table (id bigint, step_id bigint)
  language sql stable
begin atomic
  select entry.id, entry.step_id
  from event_step as step
  join commission_entry as entry on entry.lead_id = of_lead and entry.reversal_of is null
  join event_step as reached on reached.id = entry.step_id
  where step.id = of_step
    -- As an `or` PostgreSQL might ask it of every step first, and not only where there is an entry.
    and case when reached.id = of_step then true else reached.archived_at <= step.created_at
      and reached.event_type_id = step.event_type_id and not is_step_void(of_lead, reached.id) end
  order by reached.id <> of_step, entry.id limit 1;
end;

/*
 * The last entry of each chain that stands or falls with a lead, and the step by which it does: what the lead earned, and
 * what compensates that.
 */
create or replace function chains_of(of_lead bigint) returns table (id bigint, of_step bigint) language sql stable
begin atomic
  select last.id, last.step_id from commission_entry as last
  where last.lead_id = of_lead and not exists (select from commission_entry as next where next.reversal_of = last.id)
  union all
  -- An array and not a join: before the first statistics of a table PostgreSQL would read all of it for each lead.
  select last.id, (select earned.step_id from commission_entry as earned where earned.id = last.compensates)
  from commission_entry as last
  where last.compensates = any (array(select earned.id from commission_entry as earned where earned.lead_id = of_lead))
    and not exists (select from commission_entry as next where next.reversal_of = last.id);
end;

/*
 * Makes the entries of leads, whose rows are locked, stand as their events and rulings say: all whose step is not void or,
 * while the lead is rejected, none; with them what compensates them, unless that was voided. Only the last entry of each
 * chain moves. One that was paid is answered by an opposite one, which settles it in the next payment; any other is
 * reversed, or put back into its payment while that is open, or free again. `given_back` says why what stands again does.
 */
drop function if exists settle_leads(bigint[]);
create or replace function settle_leads(leads bigint[], given_back text default 'Reactivada') returns void language plpgsql as $$
declare
  own bigint[] := array(select id from commission_entry where lead_id = any(leads));
begin
  -- Locked in one order before their state is read: a payment may be settling the same entries. Not 'for update': an
  -- entry that answers another one refers to it, and a payment that moves it twice would wait for that one, too.
  perform from commission_entry
  where id = any(own || array(select id from commission_entry where compensates = any(own)))
  order by id for no key update;
  with moving as (
    select last.*, rejection.id as rejection_id,
      coalesce('Lead rechazado: ' || rejection.step_name, case when told.is_void then 'Evento anulado' else given_back end)
        as why, rejection.reason_code as why_code,
      payment.id is not null as in_open_payment
    from unnest(leads) as lead
    left join rejection_of(lead) as rejection on true
    cross join lateral chains_of(lead) as chain
    join commission_entry as last on last.id = chain.id
    cross join lateral (select is_step_void(lead, chain.of_step) as is_void) as told
    left join payment on payment.id = last.payment_id and payment_status in ('pending', 'processing')
      and payment.archived_at is null
    -- Left: the lead has the commission, since the last of its chain is one in force, or a reversal that was itself reversed.
    -- Right: it should have it. The entry moves where the two differ.
    where ((last.kind = 'reversal') = (last.state = 'reversed'))
      <> (rejection.id is null and not told.is_void and not last.is_voided)
  ), answered as (
    insert into commission_entry (lead_id, tracking_id, step_id, lead_event_id, commission_id, rate_id, relationship_id,
      affiliate_id, issuer_id, product_id, amount, state, kind, reversal_of, reason, reason_code, converts, compensates,
      compensating_rate_id, note)
    select lead_id, tracking_id, step_id, case when compensates is null then coalesce(rejection_id, (
        select first.lead_event_id from commission_entry as first
        where first.lead_id = moving.lead_id and first.step_id = moving.step_id and first.reversal_of is null
      )) end, commission_id, rate_id, relationship_id, affiliate_id, issuer_id, product_id, -amount, 'accrued',
      case kind when 'reversal' then 'restoration' else 'reversal' end, id, why, why_code, -converts, compensates,
      compensating_rate_id, note
    from moving where state = 'paid' order by id
    returning id, affiliate_id, issuer_id, product_id, tracking_id, kind = 'reversal' as is_reversal
  ), moved as (
    update commission_entry as entry set
      state = case when moving.state <> 'reversed' then 'reversed' when in_open_payment then 'in_payment' else 'accrued' end,
      payment_id = case when moving.state <> 'reversed' or in_open_payment then moving.payment_id end,
      -- Its period may be paid already.
      due_on = case when moving.state <> 'reversed' or in_open_payment then moving.due_on else greatest(moving.due_on, mexico_day(now())) end,
      reason = why,
      reason_code = why_code
    from moving where entry.id = moving.id and moving.state <> 'paid'
    returning entry.id, entry.affiliate_id, entry.issuer_id, entry.product_id, entry.tracking_id,
      -- A reversal that is reversed gives back what it took.
      (entry.kind = 'reversal') <> (entry.state = 'reversed') as is_reversal
  )
  insert into occurrence (type, affiliate_id, issuer_id, product_id, tracking_id, entry_id)
  select case when is_reversal then 'commission.reversed' else 'commission.accrued' end, affiliate_id, issuer_id,
    product_id, tracking_id, id
  from (select * from answered union all select * from moved) as changed
  -- Of the lead and what it earned; what compensates that goes with it unsaid.
  where tracking_id is not null order by id;
  if exists (select from lead_ruling where lead_id = any(leads) and kind = 'void') then perform convert_once(leads); end if;
end $$;

/*
 * Makes leads convert once while anything of them stands: the entry that converted may have lost its event, and another
 * stands. One that is not paid takes the conversion or gives it up, if there is one.
 */
create or replace function convert_once(leads bigint[]) returns void language plpgsql as $$
begin
  with kept as (
    select entry.* from commission_entry as entry
    where lead_id = any(leads) and kind <> 'reversal' and state <> 'reversed' and not exists (
      select from commission_entry as next where next.reversal_of = entry.id and next.state <> 'reversed')
  ), counted as (
    select lead_id, sum(converts) as sum from commission_entry
    where lead_id = any(leads) and state <> 'reversed' group by lead_id
  ), wrong as (
    -- None counts: the oldest that stands takes the conversion. Too many: the newest gives it up. Unpaid ones first.
    select kept.id, row_number() over (
      partition by lead_id order by state = 'paid', case when sum < 1 then kept.id else -kept.id end) as place, sum
    from kept join counted using (lead_id) where sum <> 1 and (sum < 1) = (converts = 0)
  )
  update commission_entry as entry set converts = 1 - converts from wrong where entry.id = wrong.id and place = 1;
end $$;

/* Events and rulings that are voided count no more; nor do the steps that they alone reached. */
create or replace function void_facts() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  gone bigint[] := array(select lead_event_id from added where lead_event_id is not null);
  tracking_ids uuid[];
begin
  update lead_ruling set is_voided = true where id in (select ruling_id from added where ruling_id is not null);
  if gone = '{}' then return null; end if;
  tracking_ids := array(select distinct tracking_id from added);
  insert into total_delta (day, affiliate_id, issuer_id, product_id, step_id, events, reached)
    select change.day, lead.affiliate_id, lead.issuer_id, lead.product_id, touched.step_id, sum(change.events), sum(change.reached)
    from (select distinct lead_id, tracking_id, step_id from lead_event where id = any(gone)) as touched
    join (select * from lead where tracking_id = any(tracking_ids)) as lead using (tracking_id)
    cross join lateral (
      select min(id) as first_id, min(id) filter (where id <> all(gone)) as next_id from lead_event
      where lead_event.lead_id = touched.lead_id and lead_event.step_id = touched.step_id and not is_voided
    ) as counted
    cross join lateral (
      select mexico_day(created_at) as day, -1 as events, 0 as reached from lead_event where id = first_id
      union all
      select mexico_day(created_at), 1, 0 from lead_event where id = next_id
      union all
      select mexico_day(lead.created_at), 0, -1 where next_id is null
    ) as change
    where first_id is distinct from next_id
    group by 1, 2, 3, 4, 5;
  update lead_event set is_voided = true where id = any(gone);
  return null;
end $$;
create or replace trigger void_facts after insert on lead_ruling referencing new table as added
  for each statement execute function void_facts();

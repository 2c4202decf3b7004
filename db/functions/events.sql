-- Events of leads and what they earn, in one call: one round trip per statement would cost more than the work.

/*
 * Stores events of one issuer, no two of a lead or key, and the entries that they earn or reverse. `sent` holds rows
 * of rowOf() in server/events/rows.ts. Returns a row per stored event, with its entry if it earned one; the key of an
 * event without a row was taken already.
 */
create or replace function store_events(sender bigint, sent jsonb)
  returns table (place int, id bigint, amount numeric, state text) language plpgsql as $$
#variable_conflict use_column
declare
  rejections jsonb;
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
        clicked_at timestamptz)
    ), stored as (
      insert into lead_event (lead_id, tracking_id, issuer_id, step_id, step_name, event_type_id, event_type_name, source,
        event_data, event_id, occurred_at, clock_skew, idempotency_key, fingerprint, sent_from)
      select lead_id, tracking_id, sender, step_id, step_name, event_type_id, event_type_name, source,
        event_data, event_id, occurred_at, clock_skew, idempotency_key, decode(fingerprint, 'hex'), sent_from
      from said order by place
      on conflict (issuer_id, idempotency_key) do nothing
      returning id, idempotency_key
    ), earned as (
      -- The better of the rates at the click and now (D77), once per lead and step for ever. On a lead rejected before,
      -- the entry is reversed from the start, so that the order of arrival does not matter.
      insert into commission_entry (lead_id, tracking_id, step_id, lead_event_id, commission_id, rate_id, relationship_id,
        affiliate_id, issuer_id, product_id, amount, state, reason, converts)
      select lead_id, tracking_id, step_id, stored.id, best.commission_id, best.id, said.relationship_id,
        said.affiliate_id, sender, said.product_id, best.amount,
        case when rejection.step_name is null then 'accrued' else 'reversed' end,
        'Lead rechazado: ' || rejection.step_name,
        case when rejection.step_name is null and not exists (
          select from commission_entry as other
          where other.lead_id = said.lead_id and other.reversal_of is null and other.state <> 'reversed'
        ) then 1 else 0 end
      from stored join said using (idempotency_key)
      cross join lateral (
        select either.id, either.commission_id, either.amount from (values (clicked_at), (statement_timestamp())) as moment (at)
        cross join lateral (
          select rate.id, rate.commission_id, rate.amount from rate
          where rate.product_id = said.product_id and rate.affiliate_id = said.affiliate_id and valid_from <= moment.at
          order by valid_from desc, rate.id desc limit 1
        ) as either
        where either.amount is not null
        order by either.amount desc, either.id desc limit 1
      ) as best
      left join lateral (
        select step_name from lead_event as earlier
        where earlier.lead_id = said.lead_id and event_type_name = 'rechazado' order by id limit 1
      ) as rejection on true
      -- A step archived and made anew is the same promise: what its lead earned by the archived one stands for it.
      -- Looked up for each event, like the commission: as a `not exists` it would read the entries of all leads.
      left join lateral (
        select gone.id as gone_id from commission_entry as other join event_step as gone on gone.id = other.step_id
        where other.lead_id = said.lead_id and other.reversal_of is null and other.state <> 'reversed'
          and gone.archived_at is not null and gone.event_type_id = said.event_type_id and gone.id <> said.step_id
          and not exists (select from commission_entry as negative where negative.reversal_of = other.id)
        limit 1
      ) as replaced on true
      where earns and gone_id is null
      order by place
      on conflict (lead_id, step_id) where reversal_of is null do nothing
      returning lead_event_id, amount, state
    )
    select place, stored.id, earned.amount, earned.state
    from stored join said using (idempotency_key) left join earned on lead_event_id = stored.id;
  rejections := (select jsonb_agg(one) from jsonb_array_elements(sent) as one where one ->> 'event_type_name' = 'rechazado');
  if rejections is not null then perform reverse_entries(sender, rejections); end if;
end $$;

/*
 * Reverses the entries of rejected leads, whose rows are locked. A paid entry stays, and a negative entry settles it in
 * the next payment; once it has one it is never reversed again, even after its payment released it.
 */
create or replace function reverse_entries(sender bigint, rejections jsonb) returns void language plpgsql as $$
begin
  -- Locked in one order before their state is read: a payment may be settling the same entries.
  perform from commission_entry
    where lead_id in (select lead_id from jsonb_to_recordset(rejections) as said (lead_id bigint))
      and reversal_of is null and state <> 'reversed'
    order by id for update;
  with rejection as (
    select event.lead_id, event.id, 'Lead rechazado: ' || event.step_name as reason
    from jsonb_to_recordset(rejections) as said (lead_id bigint, idempotency_key text)
    -- A key that was taken may belong to another event.
    join lead_event as event on event.issuer_id = sender and event.idempotency_key = said.idempotency_key
      and event.lead_id = said.lead_id and event.event_type_name = 'rechazado'
  ), standing as (
    select entry.*, rejection.id as rejection_id, rejection.reason as why
    from rejection join commission_entry as entry using (lead_id)
    where reversal_of is null and state <> 'reversed'
      and not exists (select from commission_entry as negative where negative.reversal_of = entry.id)
  ), taken_back as (
    insert into commission_entry (lead_id, tracking_id, step_id, lead_event_id, commission_id, rate_id, relationship_id,
      affiliate_id, issuer_id, product_id, amount, state, reversal_of, reason, converts)
    select lead_id, tracking_id, step_id, rejection_id, commission_id, rate_id, relationship_id,
      affiliate_id, issuer_id, product_id, -amount, 'accrued', id, why, -converts
    from standing where state = 'paid' order by id
  )
  update commission_entry as entry set state = 'reversed', reason = why
  from standing where entry.id = standing.id and standing.state <> 'paid';
end $$;

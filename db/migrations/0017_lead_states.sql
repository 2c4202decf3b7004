-- The state of each lead that has events, so that lists can be filtered by it: standing_of() (db/functions/standings.sql)
-- decides it, file_lead_states() files it. A lead without a row is a click.
create table lead_state (
  tracking_id uuid primary key,
  affiliate_id bigint not null,
  issuer_id bigint not null,
  product_id bigint not null,
  state text not null check (state in ('in_process', 'approved', 'rejected', 'paid'))
);
create index lead_state_index on lead_state (state, tracking_id);
create index lead_state_affiliate_index on lead_state (affiliate_id, state, tracking_id);
create index lead_state_issuer_index on lead_state (issuer_id, state, tracking_id);
create index lead_state_product_index on lead_state (product_id, state, tracking_id);

-- Leads of which a fact has changed the state, or may have. Facts only insert here, so none waits for another; until its
-- rows are filed and deleted, a lead's state in `lead_state` is not to be relied on.
create table lead_state_due (
  id bigint generated always as identity primary key,
  tracking_id uuid not null
) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);

create function mark_lead_states() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into lead_state_due (tracking_id) select distinct tracking_id from changed;
  return null;
end $$;
create trigger mark_lead_states after insert on lead_event referencing new table as changed
  for each statement execute function mark_lead_states();
create trigger mark_lead_states after insert on commission_entry referencing new table as changed
  for each statement execute function mark_lead_states();
create trigger mark_changed_lead_states after update on commission_entry referencing new table as changed
  for each statement execute function mark_lead_states();

-- As standing_of(), for all at once. The triggers have locked out facts until this is committed.
insert into lead_state (tracking_id, affiliate_id, issuer_id, product_id, state)
select tracking_id, affiliate_id, issuer_id, product_id,
  case
    when is_rejected then 'rejected'
    when earned.is_paid then 'paid'
    when is_approved then 'approved'
    else 'in_process'
  end
from lead
join (
  select tracking_id, bool_or(event_type_name = 'rechazado') as is_rejected,
    bool_or(event_type_name in ('aprobado', 'entregado')) as is_approved
  from lead_event group by tracking_id
) as told using (tracking_id)
left join (
  select tracking_id, bool_and(state = 'paid') as is_paid from commission_entry where state <> 'reversed' group by tracking_id
) as earned using (tracking_id);

grant select on lead_state, lead_state_due to afluente_app;

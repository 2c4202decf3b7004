-- What leads became by where they came from: by day of the click, pair, product and value of a UTM field or of sub1 to
-- sub10. db/functions/results.sql keeps them; `total` knows nothing of values, of which an affiliate may send any number.

create table result (
  day date not null,
  affiliate_id bigint not null,
  issuer_id bigint not null,
  product_id bigint not null,
  -- As in result_values(); 0: of all leads, whatever they came with.
  slot smallint not null check (slot between 0 and 15),
  -- Empty in rows of all leads, and in those of the values beyond the first 2,000 of an affiliate, day and slot.
  value text not null check (slot <> 0 or value = ''),
  leads bigint not null,
  approved bigint not null,
  rejected bigint not null,
  earned numeric(16, 2) not null,
  primary key (affiliate_id, slot, day, value, issuer_id, product_id)
) with (fillfactor = 80);
create index result_issuer_index on result (issuer_id, slot, day);
create index result_slot_index on result (slot, day);

-- What rows of `result` gain or lose; nobody updates them, so nobody waits for anybody.
create table result_delta (
  id bigint generated always as identity primary key,
  day date not null,
  affiliate_id bigint not null,
  issuer_id bigint not null,
  product_id bigint not null,
  slot smallint not null,
  value text not null,
  leads bigint not null default 0,
  approved bigint not null default 0,
  rejected bigint not null default 0,
  earned numeric(16, 2) not null default 0
) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);

-- Leads of which an event or an entry may have changed what they became.
create table result_change (
  id bigint generated always as identity primary key,
  lead_id bigint not null,
  tracking_id uuid not null
) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);

-- What `result` and `result_delta` hold of each lead beside the lead itself.
create table result_lead (
  lead_id bigint primary key,
  approved boolean not null,
  rejected boolean not null,
  earned numeric(16, 2) not null
) with (fillfactor = 90);

grant select on result, result_delta, result_change, result_lead to afluente_app;

-- What there is already: leads of closed partitions here, what they became when the queue is worked off.
insert into result_delta (day, affiliate_id, issuer_id, product_id, slot, value, leads)
  select mexico_day(created_at), affiliate_id, issuer_id, product_id, slot, value, count(*)
  from lead
  cross join lateral (values (0, ''), (1, utm_source), (2, utm_medium), (3, utm_campaign), (4, utm_content), (5, utm_term),
    (6, lead_data #>> '{params,sub1}'), (7, lead_data #>> '{params,sub2}'), (8, lead_data #>> '{params,sub3}'),
    (9, lead_data #>> '{params,sub4}'), (10, lead_data #>> '{params,sub5}'), (11, lead_data #>> '{params,sub6}'),
    (12, lead_data #>> '{params,sub7}'), (13, lead_data #>> '{params,sub8}'), (14, lead_data #>> '{params,sub9}'),
    (15, lead_data #>> '{params,sub10}')) as part (slot, value)
  where (slot = 0 or value <> '')
    and tracking_id < (select min(first_id::text)::uuid from lead_partition where leads is null)
  group by 1, 2, 3, 4, 5, 6
  order by count(*) desc;
insert into result_change (lead_id, tracking_id)
  select lead_id, tracking_id from lead_event where event_type_name in ('aprobado', 'entregado', 'rechazado')
  union select lead_id, tracking_id from commission_entry;


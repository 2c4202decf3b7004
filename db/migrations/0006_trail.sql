-- What stands beside the rows themselves: dashboards, the audit trail, repeated calls; then who may do what.

create table dashboard (
  id bigint generated always as identity primary key,
  name text not null,
  description text not null default '',
  iframe_url text not null,
  role text not null check (role in ('admin', 'issuer', 'affiliate')),
  affiliate_id bigint references affiliate,
  issuer_id bigint references issuer,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3),
  -- An owner belongs to the role; without one, everybody of the role sees it.
  check (affiliate_id is null or role = 'affiliate'),
  check (issuer_id is null or role = 'issuer')
);

-- Those that ship with the product: its own pages, drawn from what is in these tables (D61).
insert into dashboard (role, name, description, iframe_url)
  select role, name, description, iframe_url
  from (values
    (1, 'Red', 'Toda la red en un vistazo: leads, conversiones y comisiones por emisor, afiliado y producto.', '/embed/red'),
    (2, 'Rendimiento', 'Leads, conversiones y comisiones por día, comparados con el periodo anterior.', '/embed/rendimiento'),
    (3, 'Embudo', 'Hasta dónde llegan los leads de un producto, en qué paso se pierden y cuántos se aprueban.', '/embed/embudo'),
    (4, 'Comisiones', 'Comisiones devengadas, en pago, pagadas y revertidas, por producto y por socio.', '/embed/comisiones')
  ) as board (place, name, description, iframe_url)
  cross join (values (1, 'admin'), (2, 'issuer'), (3, 'affiliate')) as reader (rank, role)
  where role = 'admin' or iframe_url <> '/embed/red'
  order by rank, place;

create table audit_entry (
  id bigint generated always as identity primary key,
  created_at timestamptz(3) not null default now(),
  actor_id bigint,
  actor_name text not null default '',
  actor_role text not null,
  action text not null,
  entity text not null,
  entity_id bigint,
  label text not null default '',
  -- {field: [before, after]}, secrets left out.
  changes jsonb not null default '{}',
  request_id text not null default '',
  address text not null default ''
);
create index audit_entry_entity_index on audit_entry (entity, entity_id, id);
create index audit_entry_actor_index on audit_entry (actor_id, id);
create index audit_entry_created_index on audit_entry (created_at, id);

-- Answers of administrators' POSTs that carried an Idempotency-Key, for 24 hours (D27).
create table idempotency (
  user_id bigint not null references "user",
  key text not null,
  endpoint text not null,
  fingerprint bytea not null,
  status integer,
  body text,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, key)
);

-- The server runs as this role: no DDL, and no DELETE where history lives (decisions 3).
do $$ begin
  if not exists (select from pg_roles where rolname = 'afluente_app') then create role afluente_app nologin; end if;
end $$;
grant afluente_app to current_user;
grant usage on schema public to afluente_app;
grant select, insert, update on affiliate, issuer, "user", session, throttle, api_key, relationship, product, event_step,
  commission, payment, commission_entry, preview_count, dashboard, idempotency, rejected_postback to afluente_app;
grant delete on throttle, session, idempotency, rejected_postback to afluente_app;
grant select, insert, update, delete on spool_notice to afluente_app;
grant select, insert, delete on event_receipt to afluente_app;
grant usage on sequence lead_id_seq to afluente_app;
grant select on event_type to afluente_app;
grant select, insert on lead, lead_event, audit_entry to afluente_app;
-- Written by their functions and triggers alone.
grant select on lead_partition, total, total_delta to afluente_app;
-- A lead's personal data can be corrected or erased on request (mexico 4.6); its ids, its time and its money cannot.
grant update (external_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content, lead_data) on lead to afluente_app;
grant update (event_data) on lead_event to afluente_app;

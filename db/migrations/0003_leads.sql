-- What happened: clicks, what became of them, and what could not be stored.

create sequence lead_id_seq;

-- One row a click. The four ids are snapshots as of the click and carry no foreign keys: their rows are never deleted,
-- and a check of each per click would cost more than the click. Partitioned by time, which the id begins with, so that the
-- key is unique over all partitions. The newest partition has the key and the id alone; its other indexes are built in
-- one go when it is closed (db/functions/leads.sql).
create table lead (
  tracking_id uuid primary key,
  id bigint not null default nextval('lead_id_seq'),
  relationship_id bigint not null,
  affiliate_id bigint not null,
  issuer_id bigint not null,
  product_id bigint not null,
  external_id text not null default '',
  utm_source text not null default '',
  utm_medium text not null default '',
  utm_campaign text not null default '',
  utm_term text not null default '',
  utm_content text not null default '',
  lead_data jsonb,
  created_at timestamptz(3) not null generated always as (moment_of(tracking_id)) stored
) partition by range (tracking_id);
alter sequence lead_id_seq owned by lead.id;

-- The partitions of `lead`, each beside the next. One of them is open: it has no end.
create table lead_partition (
  name text primary key,
  first_id uuid not null unique,
  end_id uuid unique check (end_id > first_id),
  -- How many leads it had when it was closed: since then they are in `total`. Null while they are counted where they lie.
  leads bigint,
  check (leads is null or end_id is not null)
);
create unique index lead_partition_open_key on lead_partition ((true)) where end_id is null;

create table lead_0 partition of lead for values from (minvalue) to (maxvalue);
create index on lead_0 (id);
insert into lead_partition (name, first_id) values ('lead_0', '00000000-0000-0000-0000-000000000000');

-- What became of a lead, as its issuer told. No foreign keys: store_events() has just read the rows that they would look up.
create table lead_event (
  id bigint generated always as identity primary key,
  lead_id bigint not null,
  tracking_id uuid not null,
  issuer_id bigint not null,
  step_id bigint not null,
  step_name text not null,
  event_type_id bigint not null,
  event_type_name text not null,
  source text not null check (char_length(source) <= 50),
  event_data jsonb,
  event_id text,
  occurred_at timestamptz(3),
  clock_skew boolean not null default false,
  -- The sender's event_id, else a hash of what happened; never expires (api.md 3).
  idempotency_key text not null,
  fingerprint bytea not null,
  created_at timestamptz(3) not null default now()
);
create unique index lead_event_idempotency_key on lead_event (issuer_id, idempotency_key);
create index lead_event_lead_index on lead_event (lead_id, created_at, id);
create index lead_event_issuer_index on lead_event (issuer_id, id);

-- What each copy of the server, known by the spool on its disk, has last said of itself: every lead of which it
-- acknowledged the click before clear_until is in the database.
create table spool_notice (
  spool_id uuid primary key,
  clear_until timestamptz(3) not null,
  heard_at timestamptz not null default now()
);

-- Events that came with a good key and could not be stored; kept 90 days so that they can be sent again.
create table rejected_postback (
  id bigint generated always as identity primary key,
  issuer_id bigint not null references issuer,
  code text not null,
  message text not null,
  tracking_id text,
  source text not null,
  body jsonb not null,
  created_at timestamptz(3) not null default now()
);
create index rejected_postback_index on rejected_postback (issuer_id, id);

-- What came with a good key and became no event, for the issuer's engineer to see: repetitions, refusals and tests.
-- The last hundred of each issuer; without the body, since whatever was refused may hold anything.
create table event_receipt (
  id bigint generated always as identity primary key,
  issuer_id bigint not null references issuer,
  verdict text not null check (verdict in ('accepted', 'duplicate', 'rejected')),
  is_test boolean not null,
  code text not null,
  message text,
  tracking_id text,
  event_id text,
  step text,
  source text not null,
  created_at timestamptz(3) not null default now(),
  check (is_test or verdict <> 'accepted')
);
create index event_receipt_index on event_receipt (issuer_id, id);

-- By the pair that the link had then: one that moves to another pair leaves its figures behind.
create table preview_count (
  day date not null,
  affiliate_id bigint not null,
  issuer_id bigint not null,
  product_id bigint not null,
  reason text not null,
  count bigint not null,
  primary key (day, affiliate_id, issuer_id, product_id, reason)
);


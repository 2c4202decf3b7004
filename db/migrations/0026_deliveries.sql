-- Who is told of what happened, and what came of telling them.

-- An address that we call: of an affiliate, of an issuer or, naming neither, of the network.
create table receiver (
  id bigint generated always as identity primary key,
  affiliate_id bigint references affiliate,
  issuer_id bigint references issuer,
  name text not null check (char_length(name) between 2 and 100),
  -- With macros.
  url text not null check (char_length(url) <= 2048),
  method text not null check (method in ('GET', 'POST')),
  types text[] not null check (cardinality(types) > 0),
  -- Only what is of this product, and only events of these types; null: all.
  product_id bigint references product,
  event_types bigint[] check (cardinality(event_types) > 0),
  -- The receiver's words for what we call otherwise.
  status_map jsonb not null default '{}',
  skip_without_external_id boolean not null,
  per_second integer not null check (per_second between 1 and 50),
  state text not null default 'active' check (state in ('active', 'failing', 'paused')),
  -- Why it is paused.
  reason text check (reason in ('failures', 'gone')),
  paused_at timestamptz(3),
  -- In a row, until a good answer.
  failures integer not null default 0,
  failing_since timestamptz(3),
  last_ok_at timestamptz(3),
  -- Nothing is claimed before.
  rest_until timestamptz(3) not null default now(),
  secret bytea not null,
  -- Signs too until then, while its owner changes the receiver.
  secret_before bytea,
  before_until timestamptz(3),
  kek_id text not null,
  created_by bigint not null references "user",
  created_at timestamptz(3) not null default now(),
  archived_at timestamptz(3),
  check (num_nonnulls(affiliate_id, issuer_id) < 2),
  check (num_nonnulls(reason, paused_at) = case state when 'paused' then 2 else 0 end),
  check ((secret_before is null) = (before_until is null))
);
create index receiver_affiliate_index on receiver (affiliate_id) where archived_at is null;
create index receiver_issuer_index on receiver (issuer_id) where archived_at is null;

-- An occurrence on its way to a receiver, which is also the job of sending it. Its id is the receiver's webhook-id, for ever.
create table delivery (
  id uuid primary key default gen_random_uuid(),
  -- Grows with what happened; receivers read it.
  seq bigint generated always as identity unique,
  receiver_id bigint not null references receiver,
  -- Null of a test.
  occurrence_id bigint,
  -- As the receiver asked for it: an event that earned is also a commission that accrued.
  type text not null,
  tracking_id uuid,
  is_test boolean not null default false,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed', 'skipped')),
  -- Why it was given up or skipped.
  reason text check (reason in ('attempts', 'refused', 'no_external_id', 'erased', 'expired')),
  attempts smallint not null default 0,
  -- Attempts made before a person had it sent again: those are counted anew.
  attempts_before smallint not null default 0,
  next_at timestamptz(3) not null default now(),
  -- By a copy of the server that is sending it.
  claimed_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  settled_at timestamptz(3),
  constraint delivery_once_key unique (receiver_id, occurrence_id),
  check ((occurrence_id is null) = is_test),
  check ((state = 'waiting') = (settled_at is null))
);
create index delivery_due_index on delivery (receiver_id, next_at, seq) where state = 'waiting';
create index delivery_lead_index on delivery (receiver_id, tracking_id, seq) where state = 'waiting';
create index delivery_list_index on delivery (receiver_id, seq);

create table delivery_attempt (
  delivery_id uuid not null references delivery on delete cascade,
  number smallint not null,
  at timestamptz(3) not null default now(),
  ms integer not null,
  status smallint,
  -- Why there was no answer.
  error text,
  -- The address that was called, and what was sent, with secrets in parameters masked.
  peer text,
  request_url text not null,
  request_body text,
  -- Its beginning.
  answer text,
  primary key (delivery_id, number)
);
create index delivery_attempt_at_index on delivery_attempt (at);

-- How far occurrences are deliveries.
create table fan_out_position (
  only_one boolean primary key default true check (only_one),
  through_id bigint not null default 0,
  -- Known to be given; when these writers have ended, all up to it is committed or never will be.
  seen_id bigint not null default 0,
  writers text[] not null default '{}'
);
insert into fan_out_position default values;

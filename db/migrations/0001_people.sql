-- People and companies. Moments are timestamptz(3): the wire carries milliseconds, so If-Match compares what is stored.
-- Nothing with history is deleted: archived_at hides a row (decisions D19), partial unique indexes let it be made again.

create extension if not exists unaccent;
create extension if not exists pg_trgm;

-- What an index or a generated column calls stays here: replacing it would leave them wrong.

/* unaccent is only STABLE because its dictionary could change; ours does not. */
create function fold_letters(value text) returns text language sql immutable strict parallel safe
  return lower(public.unaccent('public.unaccent'::regdictionary, value));

/* Case and accents folded, for searching. Most texts have no accents, and this much of it PostgreSQL writes out. */
create function fold(value text) returns text language sql immutable parallel safe
  return case when octet_length(value) = char_length(value) then lower(value) else public.fold_letters(value) end;

/* The day of a moment in Mexico City: what totals count by. */
create function mexico_day(moment timestamptz) returns date language sql immutable strict parallel safe
  return (moment at time zone 'America/Mexico_City')::date;

/* The moment at which the id was made: a UUID of version 7 begins with its millisecond since 1970 (RFC 9562, 5.7). */
create function moment_of(id uuid) returns timestamptz language sql immutable strict parallel safe
  return to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000::float8);

/* The smallest id that a lead of this moment can have. */
create function first_id_of(moment timestamptz) returns uuid language sql immutable strict parallel safe
  return (lpad(to_hex(floor(extract(epoch from moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

create table affiliate (
  id bigint generated always as identity primary key,
  company_name text not null check (char_length(company_name) between 2 and 100),
  rfc text not null check (char_length(rfc) between 12 and 13),
  address text not null default '',
  contact_name text not null,
  contact_phone text not null default '' check (contact_phone = '' or contact_phone ~ '^\+52[0-9]{10}$'),
  contact_email text not null,
  url text not null default '',
  user_status text not null default 'active' check (user_status in ('active', 'inactive')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3)
);

create table issuer (like affiliate including all);

-- The two generic RFCs stand for many companies (mexico 4.1).
create unique index affiliate_rfc_key on affiliate (rfc)
  where archived_at is null and rfc not in ('XAXX010101000', 'XEXX010101000');
create unique index issuer_rfc_key on issuer (rfc)
  where archived_at is null and rfc not in ('XAXX010101000', 'XEXX010101000');

create table "user" (
  id bigint generated always as identity primary key,
  email text not null check (email = lower(email) and char_length(email) <= 254),
  first_name text not null,
  last_name text not null,
  password_hash text not null,
  role text not null check (role in ('admin', 'issuer', 'affiliate')),
  affiliate_id bigint references affiliate,
  issuer_id bigint references issuer,
  user_status text not null default 'active' check (user_status in ('active', 'inactive', 'suspended')),
  last_login timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3),
  constraint user_association_check check (
    (role = 'admin' and affiliate_id is null and issuer_id is null)
    or (role = 'affiliate' and affiliate_id is not null and issuer_id is null)
    or (role = 'issuer' and issuer_id is not null and affiliate_id is null))
);
create unique index user_email_key on "user" (email) where archived_at is null;
create index user_affiliate_index on "user" (affiliate_id) where affiliate_id is not null;
create index user_issuer_index on "user" (issuer_id) where issuer_id is not null;

create table session (
  id uuid primary key default gen_random_uuid(),
  user_id bigint not null references "user",
  refresh_hash bytea not null unique,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  address text not null,
  user_agent text not null,
  revoked_at timestamptz(3),
  revoked_reason text
);
create index session_user_index on session (user_id, created_at);

-- Counters of rate-limiter-flexible; a restart keeps them, a crash may lose them (security 2.4).
create unlogged table throttle (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

-- A row with neither affiliate nor issuer cannot exist; rotation adds a row and ends the one before.
create table api_key (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('api', 'postback')),
  affiliate_id bigint references affiliate,
  issuer_id bigint references issuer,
  prefix text not null,
  key_hash bytea not null unique,
  key_ciphertext bytea not null,
  kek_id text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  check (num_nonnulls(affiliate_id, issuer_id) = 1),
  check (kind = 'api' or issuer_id is not null)
);
create unique index api_key_current_affiliate on api_key (affiliate_id, kind) where expires_at is null and affiliate_id is not null;
create unique index api_key_current_issuer on api_key (issuer_id, kind) where expires_at is null and issuer_id is not null;

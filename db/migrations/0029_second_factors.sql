-- What a person shows besides the password, and how lately: second factors, codes for when they are lost, and confirmation.

create table second_factor (
  id bigint generated always as identity primary key,
  user_id bigint not null references "user",
  kind text not null check (kind in ('totp', 'passkey')),
  label text not null check (char_length(label) between 1 and 60),
  -- Of an application with codes: its seed, sealed; the last step whose code was taken. It counts once it gave a code.
  secret bytea,
  kek_id text,
  last_step bigint,
  confirmed_at timestamptz(3),
  -- Of a passkey.
  credential_id text unique,
  public_key bytea,
  counter bigint,
  transports text[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  check (case kind when 'totp' then num_nonnulls(secret, kek_id) = 2 and credential_id is null
    else num_nonnulls(credential_id, public_key, counter, confirmed_at) = 4 and secret is null end)
);
create unique index second_factor_totp_key on second_factor (user_id) where kind = 'totp';
create index second_factor_user_index on second_factor (user_id, id);

create table recovery_code (
  id bigint generated always as identity primary key,
  user_id bigint not null references "user",
  -- Keyed: without the server's secret the table can be searched for no code.
  code_hash bytea not null,
  used_at timestamptz(3),
  unique (user_id, code_hash)
);

-- A question that waits some minutes for its one answer: the second step of a sign-in, or of a browser's credential.
create table challenge (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('second', 'passkey', 'register')),
  user_id bigint references "user",
  -- Of the second step: the password that was right, so that another one in between ends it.
  password_tag bytea,
  -- What the browser's credential has to sign.
  nonce text,
  expires_at timestamptz(3) not null
);
create index challenge_expires_index on challenge (expires_at);

-- Until then the person of the session has just shown again who they are.
alter table session add column elevated_until timestamptz(3);

-- What a person may do in the own company or network; everybody could do all of it until now.
alter table "user" add column duty text not null default 'owner'
  check (duty in ('owner', 'operator', 'finance', 'reader'));

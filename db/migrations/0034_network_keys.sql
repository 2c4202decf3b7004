-- Keys with which the network's systems read: named, for a part of what an administrator sees, until a day. They are shown once.

create table network_key (
  id bigint generated always as identity primary key,
  name text not null check (char_length(name) between 2 and 100),
  scope text not null check (scope in ('leads', 'money', 'all')),
  prefix text not null,
  -- Keyed: without the server's secret the table can be searched for no key.
  key_hash bytea not null unique,
  created_by bigint not null references "user",
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  -- A network, as /24 or /48.
  last_used_from text,
  check (expires_at > created_at)
);
grant select, insert (name, scope, prefix, key_hash, created_by, expires_at),
  update (revoked_at, last_used_at, last_used_from) on network_key to afluente_app;

-- How people come in without anybody else knowing their password: a link that works once, and the mail that carries it.

create table access_link (
  id bigint generated always as identity primary key,
  user_id bigint not null references "user",
  purpose text not null check (purpose in ('invite', 'reset')),
  -- SHA-256 of 256 random bits, so that the table opens nothing.
  token_hash bytea not null unique,
  -- Shown once to who asked for it, or mailed to who it is for.
  delivered text not null check (delivered in ('mail', 'shown')),
  created_by bigint references "user",
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  -- A newer one took its place.
  ended_at timestamptz(3)
);
create unique index access_link_open_key on access_link (user_id) where used_at is null and ended_at is null;
create index access_link_created_index on access_link (created_at);

-- What is to be sent. Texts are made when they are sent: nothing here can be read as a letter, and no link is kept.
create table mail (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('invite', 'reset')),
  -- Whose it is. Null: whose address it is shows when it is sent, so that asking for a link takes as long for any address.
  user_id bigint references "user",
  recipient text not null check (char_length(recipient) <= 254),
  -- Who asked for it.
  created_by bigint references "user",
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  next_at timestamptz(3) not null default now(),
  -- What the server that takes our mail said last.
  error text,
  created_at timestamptz(3) not null default now(),
  settled_at timestamptz(3),
  check ((state = 'waiting') = (settled_at is null))
);
-- One of a kind waits for a person at a time.
create unique index mail_waiting_key on mail (recipient, kind) where state = 'waiting';
create index mail_due_index on mail (next_at, id) where state = 'waiting';
create index mail_created_index on mail (created_at, id);

-- What people are told of: in the product, at once by mail, or in a digest.

-- More may happen than to one pair: to a company alone, to a product for all who promote it, to a person.
alter table occurrence
  alter column affiliate_id drop not null,
  alter column issuer_id drop not null,
  -- Whose alone it is.
  add user_id bigint,
  -- Who did it, where those who know are not told.
  add actor_id bigint,
  add receiver_id bigint,
  add rate_id bigint,
  -- What no row says: a device, a kind of key.
  add detail text;

-- Of each person by itself, so that reading one is nobody else's business.
create table notice (
  id bigint generated always as identity primary key,
  user_id bigint not null references "user",
  -- As whose: who goes to another company reads nothing more of this one.
  role text not null check (role in ('admin', 'issuer', 'affiliate')),
  company_id bigint check ((company_id is null) = (role = 'admin')),
  occurrence_id bigint not null,
  type text not null,
  affiliate_id bigint,
  issuer_id bigint,
  product_id bigint,
  payment_id bigint,
  receiver_id bigint,
  -- Amount, reason and the like, as of then: what they come from is not kept as long.
  params jsonb not null,
  -- As the person had chosen.
  in_product boolean not null,
  mail text not null check (mail in ('off', 'now', 'daily', 'weekly')),
  -- The letter that says it. No foreign key: letters are forgotten before, and nothing is mailed twice.
  mail_id bigint,
  created_at timestamptz(3) not null default now(),
  read_at timestamptz(3),
  constraint notice_once_key unique (user_id, occurrence_id),
  check (in_product or mail <> 'off')
);
create index notice_list_index on notice (user_id, id) where in_product;
create index notice_unmailed_index on notice (mail, created_at, user_id) where mail <> 'off' and mail_id is null;
create index notice_mail_index on notice (mail_id) where mail_id is not null;

-- What a person wants otherwise than notice_kinds() says.
create table notice_choice (
  user_id bigint not null references "user",
  type text not null,
  in_product boolean not null,
  mail text not null check (mail in ('off', 'now', 'daily', 'weekly')),
  primary key (user_id, type)
);

-- Up to which day's events it was told that an issuer fell silent: once for each silence.
create table silence (
  issuer_id bigint primary key references issuer,
  last_day date not null
);

alter table mail
  drop constraint mail_kind_check,
  add check (kind in ('invite', 'reset', 'notice', 'digest')),
  -- In Mexico City. It ends at eight in the morning.
  add digest_day date,
  add check ((kind = 'digest') = (digest_day is not null)),
  add check (kind not in ('notice', 'digest') or user_id is not null);
create unique index mail_digest_key on mail (user_id, digest_day) where kind = 'digest';
create index mail_user_index on mail (user_id, kind, settled_at) where user_id is not null;

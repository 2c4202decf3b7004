-- What is promoted, by whom, and for how much.

create table relationship (
  id bigint generated always as identity primary key,
  affiliate_id bigint not null references affiliate,
  issuer_id bigint not null references issuer,
  notes text not null default '' check (char_length(notes) <= 1000),
  relationship_status text not null default 'active' check (relationship_status in ('active', 'inactive')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3),
  unique (id, affiliate_id, issuer_id)
);
create unique index relationship_pair_key on relationship (affiliate_id, issuer_id) where archived_at is null;
create index relationship_issuer_index on relationship (issuer_id);

create table product (
  id bigint generated always as identity primary key,
  issuer_id bigint not null references issuer,
  name text not null check (char_length(name) between 2 and 255),
  description text not null,
  redirect_url text not null check (position('{tracking_id}' in redirect_url) > 0),
  product_status text not null default 'active' check (product_status in ('active', 'inactive')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3),
  unique (id, issuer_id)
);
create index product_issuer_index on product (issuer_id);

create table event_type (
  id bigint primary key,
  name text not null unique
);
insert into event_type (id, name) values
  (1, 'step_1'), (2, 'step_2'), (3, 'aprobado'), (4, 'rechazado'), (5, 'entregado');

create table event_step (
  id bigint generated always as identity primary key,
  product_id bigint not null references product,
  event_type_id bigint not null references event_type,
  name text not null check (char_length(name) between 3 and 255),
  description text not null default '' check (char_length(description) <= 500),
  step_order integer not null check (step_order >= 1),
  is_payout_event boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3),
  -- Archived steps leave the order to the living; null orders never collide.
  live_order integer generated always as (case when archived_at is null then step_order end) stored,
  -- Deferrable so that one UPDATE may swap two orders (D34).
  constraint event_step_order_key unique (product_id, live_order) deferrable initially immediate
);

create table commission (
  id bigint generated always as identity primary key,
  issuer_id bigint not null,
  affiliate_id bigint not null references affiliate,
  product_id bigint not null,
  -- Emptied when the relationship moves to another pair, which ends the commission (D24).
  relationship_id bigint,
  name text not null check (char_length(name) between 3 and 100),
  description text not null default '',
  payout numeric(14, 2) not null check (payout >= 0),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3),
  check (archived_at is not null or relationship_id is not null),
  foreign key (product_id, issuer_id) references product (id, issuer_id),
  foreign key (relationship_id, affiliate_id, issuer_id) references relationship (id, affiliate_id, issuer_id)
);
create unique index commission_pair_key on commission (product_id, affiliate_id) where archived_at is null;
create index commission_issuer_index on commission (issuer_id);
create index commission_affiliate_index on commission (affiliate_id);

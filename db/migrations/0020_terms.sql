-- How long a commission is validated before it can be paid, and whether somebody has to approve it.

-- What holds from a day on, for a relationship and product, a relationship, a product, an issuer or, naming none, the
-- network. A field that is null is as the next wider one says.
create table term (
  id bigint generated always as identity primary key,
  issuer_id bigint references issuer,
  product_id bigint references product,
  relationship_id bigint references relationship,
  valid_from date not null,
  validation text check (validation in ('automatic', 'explicit')),
  validation_days integer check (validation_days between 0 and 180),
  note text not null default '' check (char_length(note) <= 500),
  author_id bigint not null references "user",
  created_at timestamptz(3) not null default now(),
  cancelled_at timestamptz(3),
  check (issuer_id is null or (product_id is null and relationship_id is null)),
  -- Nothing holds backwards.
  check (valid_from >= mexico_day(created_at))
);
create unique index term_scope_key on term (issuer_id, product_id, relationship_id, valid_from) nulls not distinct
  where cancelled_at is null;

alter table commission_entry
  -- The day on which its validation ends or ended; null where no term was asked.
  add column validation_ends_on date,
  add column approved_at timestamptz(3),
  add column approved_by bigint references "user";
comment on column commission_entry.due_on is 'infinity while somebody has to approve it: no period reaches it';
create index commission_entry_awaiting_index on commission_entry (issuer_id, id)
  where due_on = 'infinity' and state = 'accrued';

-- Sums by day and month of Mexico City of every affiliate, issuer and product together, and by day of each of them alone
-- and of the whole network; of steps only the first, by day. The transaction of a fact
-- inserts what it adds or takes away into `total_delta`; fold_totals() adds that up in `total`. A sum is the sum of both,
-- read in one statement or snapshot, plus the leads of partitions that are not closed yet.

create table total (
  grain text not null check (grain in ('day', 'month')),
  first_day date not null,
  -- 0: of all of them.
  affiliate_id bigint not null,
  issuer_id bigint not null,
  product_id bigint not null,
  -- 0, but in rows that tell how many leads reached a step.
  step_id bigint not null,
  leads bigint not null,
  conversions bigint not null,
  -- Commission earned in this time, by the state that it is in now.
  accrued numeric(16, 2) not null,
  in_payment numeric(16, 2) not null,
  paid numeric(16, 2) not null,
  reversed numeric(16, 2) not null,
  -- Leads that reached the step for the first time in this time.
  events bigint not null,
  -- Leads that clicked in this time and have reached the step by now.
  reached bigint not null,
  primary key (grain, affiliate_id, issuer_id, product_id, step_id, first_day)
) with (fillfactor = 80);
create index total_time_index on total (grain, first_day) where affiliate_id <> 0 and issuer_id <> 0 and step_id = 0;
create index total_issuer_index on total (issuer_id, grain, first_day) where affiliate_id <> 0 and step_id = 0;
create index total_product_index on total (product_id, grain, first_day) where affiliate_id <> 0;

-- Rows of one affiliate, issuer and product on one day; nobody updates them, so nobody waits for anybody.
create table total_delta (
  id bigint generated always as identity primary key,
  day date not null,
  affiliate_id bigint not null,
  issuer_id bigint not null,
  product_id bigint not null,
  step_id bigint not null default 0,
  leads bigint not null default 0,
  conversions bigint not null default 0,
  accrued numeric(16, 2) not null default 0,
  in_payment numeric(16, 2) not null default 0,
  paid numeric(16, 2) not null default 0,
  reversed numeric(16, 2) not null default 0,
  events bigint not null default 0,
  reached bigint not null default 0
) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);

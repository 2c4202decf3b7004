-- What is owed and what was paid.

create table payment (
  id bigint generated always as identity primary key,
  relationship_id bigint not null references relationship,
  affiliate_id bigint not null references affiliate,
  issuer_id bigint not null references issuer,
  period_start date not null,
  period_end date not null,
  total_leads integer not null check (total_leads >= 0),
  total_conversions integer not null check (total_conversions >= 0),
  total_amount numeric(14, 2) not null check (total_amount >= 0),
  payment_status text not null default 'pending' check (payment_status in ('pending', 'processing', 'paid', 'cancelled')),
  payment_date date,
  notes text not null default '' check (char_length(notes) <= 500),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3),
  check (period_end > period_start),
  check (total_conversions <= total_leads)
);
create unique index payment_period_key on payment (relationship_id, period_start, period_end)
  where archived_at is null and payment_status <> 'cancelled';
create index payment_affiliate_index on payment (affiliate_id);
create index payment_issuer_index on payment (issuer_id);

-- The ledger behind every payment (api.md 5). An amount is the one in force at its event; nothing rewrites the past.
create table commission_entry (
  id bigint generated always as identity primary key,
  lead_id bigint not null,
  tracking_id uuid not null,
  step_id bigint not null,
  lead_event_id bigint not null,
  commission_id bigint not null,
  relationship_id bigint not null,
  affiliate_id bigint not null,
  issuer_id bigint not null,
  product_id bigint not null,
  amount numeric(14, 2) not null,
  state text not null check (state in ('accrued', 'in_payment', 'paid', 'reversed')),
  payment_id bigint references payment,
  -- The paid entry that this negative one takes back.
  reversal_of bigint references commission_entry,
  -- A lead converts once, with the first of its entries that stands: 1 there, 0 in its others, -1 where the first paid one
  -- is taken back. Whoever counts conversions adds these up, of entries that are not reversed.
  converts smallint not null check (converts = 0 or converts = case when reversal_of is null then 1 else -1 end),
  reason text,
  earned_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((amount >= 0) = (reversal_of is null) or amount = 0),
  check (state not in ('in_payment', 'paid') or payment_id is not null),
  check (state <> 'accrued' or payment_id is null)
);
create unique index commission_entry_reversal_key on commission_entry (reversal_of) where reversal_of is not null;
create unique index commission_entry_step_key on commission_entry (lead_id, step_id) where reversal_of is null;
-- By the pair: an entry is paid to who earned it, whatever its relationship points at later.
create index commission_entry_period_index on commission_entry (affiliate_id, issuer_id, earned_at, id)
  include (state, amount, payment_id);
-- What a payment may still take: little beside all that was ever earned, and looked for from the pair's first day on.
create index commission_entry_accrued_index on commission_entry (affiliate_id, issuer_id, earned_at) include (amount)
  where state = 'accrued';
create index commission_entry_payment_index on commission_entry (payment_id, earned_at, id) include (state, amount)
  where payment_id is not null;
create index commission_entry_lead_index on commission_entry (lead_id, id);

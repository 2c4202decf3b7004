-- What happened to leads, commissions and payments, for whoever outside is to be told of it.

-- Written in the transaction of the fact itself, so that both are there or neither. Facts never change, so a row names
-- them and repeats nothing. No other index and no foreign keys: an event pays for each.
create table occurrence (
  id bigint generated always as identity primary key,
  type text not null,
  affiliate_id bigint not null,
  issuer_id bigint not null,
  -- Null for payments, which are of many products and leads.
  product_id bigint,
  tracking_id uuid,
  event_id bigint,
  -- Of `lead.event`: the entry that the event earned.
  entry_id bigint,
  payment_id bigint,
  created_at timestamptz(3) not null default now()
);

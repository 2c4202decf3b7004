-- Clicks that lost what their affiliate needs to recognise them, or made no lead since their link was broken; by link and
-- day (decision D84). `told_at` is when the affiliate was told of that day's.
create table link_fault (
  day date not null,
  affiliate_id bigint not null references affiliate,
  relationship_id bigint not null references relationship,
  product_id bigint references product,
  reason text not null check (reason in ('unreplaced', 'changed', 'lost')),
  sample text not null,
  count bigint not null check (count > 0),
  told_at timestamptz,
  unique nulls not distinct (day, relationship_id, product_id, reason)
);
create index link_fault_affiliate_index on link_fault (affiliate_id, day);
create index link_fault_untold_index on link_fault (day) where told_at is null;

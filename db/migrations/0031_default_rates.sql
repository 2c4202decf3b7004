-- A rate may be for every affiliate of a product that has none of its own, and for one step alone.
alter table rate
  alter column affiliate_id drop not null,
  alter column commission_id drop not null,
  add event_step_id bigint references event_step,
  -- Those of an affiliate are of its commission, and end with it.
  add constraint rate_owner_check check ((affiliate_id is null) = (commission_id is null));

-- What was earned by the default of a product has no commission.
alter table commission_entry alter column commission_id drop not null;

drop index rate_pair_index;
create index rate_scope_index on rate (product_id, affiliate_id, event_step_id, valid_from desc, id desc)
  include (amount, commission_id);

drop function if exists set_rate(bigint, numeric, timestamptz);

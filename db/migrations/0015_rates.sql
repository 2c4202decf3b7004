-- What an affiliate earned for a product at any moment (D77). Rows are only added: a lead earns the better of the amount
-- at its click and the one at its event, so that lowering, ending or making a commission anew takes nothing from it.

create table rate (
  id bigint generated always as identity primary key,
  product_id bigint not null references product,
  affiliate_id bigint not null references affiliate,
  commission_id bigint not null references commission,
  -- Null where it ended.
  amount numeric(14, 2) check (amount >= 0),
  -- To the microsecond: rounded to the millisecond it could begin after an event that follows it.
  valid_from timestamptz not null
);
create index rate_pair_index on rate (product_id, affiliate_id, valid_from desc, id desc) include (amount, commission_id);

alter table commission_entry add rate_id bigint;

-- The trail holds every amount of a commission, since it was written with it.
insert into rate (product_id, affiliate_id, commission_id, amount, valid_from)
  select product_id, affiliate_id, commission_id, amount, valid_from from (
    select id as commission_id, product_id, affiliate_id, (changes -> 'payout' ->> 1)::numeric as amount, trail.created_at as valid_from
    from commission cross join lateral (
      select changes, created_at from audit_entry
      where entity = 'commission' and entity_id = commission.id and changes ? 'payout'
    ) as trail
    union all
    -- Made without one.
    select id, product_id, affiliate_id, payout, created_at from commission
    where not exists (select from audit_entry where entity = 'commission' and entity_id = commission.id and changes ? 'payout')
    union all
    select id, product_id, affiliate_id, null, archived_at from commission where archived_at is not null
  ) as version order by valid_from;

-- Commissions that came back with their relationship and have paid nothing since: what ended with them begins again, from
-- now on. The amount by all steps ends with the commission alone, so a commission without one was not left so by anybody.
-- Not where the default of the product pays meanwhile: then an amount in force would change without a word.

with version as (
  select rate.*, lag(rate.amount) over scope as before, lead(rate.id) over scope is null as is_last
  from rate join commission on commission.id = commission_id and archived_at is null
  where valid_from <= now()
  window scope as (partition by commission_id, event_step_id order by valid_from, rate.id)
)
insert into rate (product_id, affiliate_id, commission_id, event_step_id, amount, valid_from)
  select product_id, affiliate_id, commission_id, event_step_id, before, date_trunc('milliseconds', clock_timestamp())
  from version join (
    select commission_id, valid_from as ended_at from version where event_step_id is null and is_last and amount is null
  ) as ended using (commission_id)
  where is_last and amount is null and valid_from = ended_at
    and not exists (
      select from (
        select general.amount from rate as general
        where general.product_id = version.product_id and general.affiliate_id is null and general.event_step_id is null
          and general.valid_from <= now()
        order by general.valid_from desc, general.id desc limit 1
      ) as last where last.amount is not null);

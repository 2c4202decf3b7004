-- What a payment was typed above or below its commissions is earned on the last day of its period, when it falls due: it was
-- dated the day on which somebody typed it, and stood in the income of that month.

alter table commission_entry disable trigger user;
with moved as (
  update commission_entry as entry set earned_at = entry.due_on::timestamp at time zone 'America/Mexico_City'
  from commission_entry as before
  where before.id = entry.id and entry.of_payment is not null and mexico_day(before.earned_at) <> entry.due_on
  returning before.earned_at as was, entry.*
)
insert into total_delta (day, affiliate_id, issuer_id, product_id, conversions, accrued, in_payment, paid, reversed)
select mexico_day(moment), affiliate_id, issuer_id, 0, 0,
  coalesce(sum(sign * amount) filter (where state = 'accrued'), 0),
  coalesce(sum(sign * amount) filter (where state = 'in_payment'), 0),
  coalesce(sum(sign * amount) filter (where state = 'paid'), 0),
  coalesce(sum(sign * amount) filter (where state = 'reversed'), 0)
from moved cross join lateral (values (was, -1), (earned_at, 1)) as change (moment, sign)
group by 1, 2, 3;
alter table commission_entry enable trigger user;

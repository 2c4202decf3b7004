-- A pair that ended and works together again has a relationship more, but a period is still paid to it once. What was
-- stored twice before stays as it is, for people to look at.

do $$
declare
  doubled bigint[] := array(
    select id from payment as one where archived_at is null and payment_status <> 'cancelled' and exists (
      select from payment as other
      where other.id < one.id and other.affiliate_id = one.affiliate_id and other.issuer_id = one.issuer_id
        and other.period_start = one.period_start and other.period_end = one.period_end
        and other.archived_at is null and other.payment_status <> 'cancelled'));
begin
  execute format('create unique index payment_pair_period_key on payment (affiliate_id, issuer_id, period_start, period_end)
    where archived_at is null and payment_status <> ''cancelled'' and id <> all (%L::bigint[])', doubled);
  drop index payment_period_key;
end $$;

-- As 0012, for pairs that were given something without a lead: until now their relationship left no row of them behind when
-- it was pointed at another pair.

insert into relationship (affiliate_id, issuer_id, relationship_status, archived_at)
  select affiliate_id, issuer_id, 'inactive', now() from (
    select affiliate_id, issuer_id from commission_entry where kind in ('bonus', 'adjustment')
    union
    select affiliate_id, issuer_id from payment
  ) as pair
  where not exists (
    select from relationship
    where (relationship.affiliate_id, relationship.issuer_id) = (pair.affiliate_id, pair.issuer_id));

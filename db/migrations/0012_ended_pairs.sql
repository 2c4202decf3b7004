-- What a pair earned is paid by a relationship of its own (D79), also after a relationship was pointed at another pair.

insert into relationship (affiliate_id, issuer_id, relationship_status, archived_at)
  select distinct affiliate_id, issuer_id, 'inactive', now() from commission_entry as entry
  where not exists (
    select from relationship
    where (relationship.affiliate_id, relationship.issuer_id) = (entry.affiliate_id, entry.issuer_id));

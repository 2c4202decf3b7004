-- Who was erased before 0050 is erased in what was told of them, too.

with erasure as materialized (
  select label::uuid as tracking_id, max(created_at) as at from audit_entry
  where action = 'privacy_erase' and entity = 'lead' and label ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' group by 1
), erased as (
  update delivery set is_erased = true from erasure
  where delivery.tracking_id = erasure.tracking_id and created_at <= at returning delivery.id
)
update delivery_attempt set request_url = '', request_body = null, answer = null from erased where delivery_id = erased.id;

-- The key comes first, so that events are found by it alone (events_under() in db/functions/events.sql).
create unique index lead_event_key_index on lead_event (idempotency_key, issuer_id);
drop index lead_event_idempotency_key;
alter index lead_event_key_index rename to lead_event_idempotency_key;

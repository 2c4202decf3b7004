-- On which days an issuer's systems sent events (server/boards/silent.ts).

create index lead_event_sent_index on lead_event (issuer_id, created_at) where source not in ('panel', 'conciliacion');

-- How long what is of people is kept (server/privacy/retention.ts; security 2.11).

-- How far each erasure has come, by the key that its table is ordered by: everything up to `through` is done.
create table retention (
  task text primary key,
  through text not null
);
insert into retention (task, through) values
  ('audit_entry.address', '0'),
  ('lead_event.event_data', '0'),
  ('lead.lead_data', '00000000-0000-0000-0000-000000000000'),
  ('lead.origin', '00000000-0000-0000-0000-000000000000');
grant select, update on retention to afluente_app;

create index session_expires_index on session (expires_at);

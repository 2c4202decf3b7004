-- A receiver can be paused by a person too, with nothing wrong.

alter table receiver
  drop constraint receiver_reason_check,
  add constraint receiver_reason_check check (reason in ('failures', 'gone', 'person')),
  -- Who did.
  add column paused_by bigint references "user",
  add constraint receiver_paused_by_check check ((paused_by is not null) = (reason is not distinct from 'person'));

-- What may have happened to: a condition of payment; and who asked for a link that no mail brings.
alter table occurrence
  add column term_id bigint,
  add column mail_id bigint;

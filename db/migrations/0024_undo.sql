-- An import can be undone: its events are voided, and what they moved moves back.

alter table lead_event
  -- Kept by a trigger, so that none who asks what became of a lead has to look for who voided it.
  add column is_voided boolean not null default false;

alter table lead_ruling
  drop constraint lead_ruling_kind_check,
  alter column through_event_id drop not null,
  -- Of a void: the event that counts no more, or the ruling.
  add column lead_event_id bigint,
  add column ruling_id bigint references lead_ruling,
  add column is_voided boolean not null default false,
  add constraint lead_ruling_kind_check check (case kind
    when 'restore' then through_event_id is not null and num_nonnulls(lead_event_id, ruling_id) = 0
    when 'void' then through_event_id is null and num_nonnulls(lead_event_id, ruling_id) = 1
    else false
  end);
-- Few leads have any; looked up for each event.
create index lead_ruling_void_index on lead_ruling (lead_id) where kind = 'void';
create unique index lead_ruling_voided_event_key on lead_ruling (lead_event_id) where kind = 'void' and lead_event_id is not null;

alter table import
  drop constraint import_status_check,
  add constraint import_status_check check (status in ('receiving', 'received', 'simulating', 'simulated', 'applying',
    'applied', 'previewing', 'undoing', 'undone', 'discarded')),
  -- Rows and pesos by what undoing would move.
  add column undo jsonb not null default '[]',
  add column previewed_at timestamptz(3),
  add column undone_at timestamptz(3),
  add column undone_by bigint references "user",
  add column undo_reason text check (char_length(undo_reason) between 10 and 500),
  add constraint import_undone_check check (num_nonnulls(undone_at, undone_by, undo_reason) in (0, 3));
drop index import_work_index, import_applied_key;
create index import_work_index on import (touched_at, id)
  where status in ('receiving', 'simulating', 'applying', 'previewing', 'undoing') or (status = 'discarded' and last_row > 0);
create unique index import_applied_key on import (issuer_id, sha256)
  where status in ('applying', 'applied', 'previewing', 'undoing');

alter table import_row
  add column undo text check (undo in ('take_back', 'charge', 'give_back', 'nothing')),
  add column undo_amount numeric(14, 2) not null default 0;

-- Files in which an issuer says what became of its leads: evidence, then a dry run, then events.

create table import (
  id bigint generated always as identity primary key,
  issuer_id bigint not null references issuer,
  file_name text not null check (char_length(file_name) between 1 and 255),
  status text not null default 'receiving' check (status in ('receiving', 'received', 'simulating', 'simulated', 'applying',
    'applied', 'discarded')),
  format text not null check (format in ('csv', 'xlsx')),
  bytes bigint not null default 0,
  sha256 bytea,
  charset text,
  delimiter text,
  -- The names of its columns, in their order.
  header jsonb not null default '[]',
  -- What its columns and values mean, as the contract's ImportMapping.
  mapping jsonb,
  rows integer not null default 0,
  -- The number of the last one, as a spreadsheet counts: its header is in row 1. 0 once a discarded file has none left.
  last_row integer not null default 0,
  -- How far the work of its status has come.
  done integer not null default 0,
  -- Rows and pesos by outcome, of the dry run; by result, of what was applied.
  outcomes jsonb not null default '[]',
  results jsonb not null default '[]',
  created_at timestamptz(3) not null default now(),
  created_by bigint not null references "user",
  simulated_at timestamptz(3),
  applied_at timestamptz(3),
  applied_by bigint references "user",
  -- Of the last work on it: one that is received and not touched any more was cut off.
  touched_at timestamptz(3) not null default now(),
  check (num_nonnulls(applied_at, applied_by) in (0, 2))
);
create index import_issuer_index on import (issuer_id, id);
-- One at a time, so that nobody fills the disk with many at once.
create unique index import_receiving_key on import (issuer_id) where status = 'receiving';
-- What has work left to do.
create index import_work_index on import (touched_at, id)
  where status in ('receiving', 'simulating', 'applying') or (status = 'discarded' and last_row > 0);
-- What was applied is not applied again, however often the file is sent.
create unique index import_applied_key on import (issuer_id, sha256) where status in ('applying', 'applied');

create table import_row (
  import_id bigint not null references import,
  row_no integer not null,
  -- The texts of the row; null once they are erased.
  cells jsonb,
  lead_id bigint,
  tracking_id uuid,
  -- What the row says: the step that its lead reached; a rejection is one, too.
  step_id bigint,
  reason_code text,
  -- What would come of it, and the pesos that it adds or takes.
  outcome text check (outcome in ('approve', 'record', 'reject', 'reject_paid', 'restore', 'stays_rejected', 'unchanged',
    'not_found', 'conflict', 'repeated', 'invalid', 'no_step', 'ignored')),
  expected numeric(14, 2) not null default 0,
  -- Of a row that was to change something: whether it did.
  result text check (result in ('applied', 'changed')),
  lead_event_id bigint,
  ruling_id bigint,
  primary key (import_id, row_no)
);
create index import_row_lead_index on import_row (lead_id, import_id) where lead_id is not null;
create index import_row_outcome_index on import_row (import_id, outcome, row_no);

-- That an import took a rejection back, beside persons.
alter table lead_ruling add column import_id bigint references import;

insert into retention (task, through) values ('import_row.cells', '0');

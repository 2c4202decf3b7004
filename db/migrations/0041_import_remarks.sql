-- What a file says of amounts and dates beside what is known here: it is only compared and shown.

alter table import
  -- Rows by what is remarkable about them, with what the file and the ledger say.
  add column remarks jsonb not null default '[]';
alter table import_row
  -- None: null.
  add column remarks text[] check (remarks <@ '{other_amount,unreadable_amount,before_click,other_date,unreadable_date}'
    and remarks <> '{}'),
  -- What its step pays or has paid, if it pays; the day of its click or event, where the row says another one.
  add column known_amount numeric(14, 2),
  add column known_on date;
create index import_row_remark_index on import_row (import_id, row_no) where remarks is not null;

-- It returns more than it did.
drop function if exists judge_import_rows(bigint, int, int);

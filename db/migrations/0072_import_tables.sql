-- Where the table of a file is, found or chosen: the sheet among those that people see, and the row of its header.

alter table import
  add column sheet text,
  add column sheets jsonb not null default '[]',
  -- As a spreadsheet counts; 0: the file has no header, and its columns are numbered.
  add column header_row integer not null default 1;

-- Until when a file can be undone is promised when it is applied (IMPORT_UNDO_DAYS); it was 30 days for all.

alter table import add column undo_until timestamptz(3);
update import set undo_until = applied_at + interval '30 days' where applied_at is not null;
alter table import add check (num_nonnulls(applied_at, undo_until) in (0, 2));

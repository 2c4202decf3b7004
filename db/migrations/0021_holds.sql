-- A commission that nobody may pay while something about it is being cleared up.

create table entry_hold (
  id bigint generated always as identity primary key,
  entry_id bigint not null references commission_entry,
  reason text not null check (reason in ('fraude', 'aclaracion', 'emisor', 'otro')),
  note text not null check (char_length(note) between 10 and 500),
  opened_by bigint not null references "user",
  opened_at timestamptz(3) not null default now(),
  released_by bigint references "user",
  released_at timestamptz(3),
  release_note text check (char_length(release_note) between 10 and 500),
  check (num_nonnulls(released_by, released_at, release_note) in (0, 3))
);
create unique index entry_hold_open_key on entry_hold (entry_id) where released_at is null;
create index entry_hold_entry_index on entry_hold (entry_id, id);

-- Whether a hold is open; kept by a trigger, so that none who looks for what can be paid has to ask for it.
alter table commission_entry add column is_held boolean not null default false;
alter table commission_entry add constraint commission_entry_held_check
  check (not is_held or state in ('accrued', 'reversed'));

create function mark_held() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update commission_entry set is_held = new.released_at is null where id = new.entry_id;
  return null;
end $$;
create trigger mark_held after insert or update of released_at on entry_hold for each row execute function mark_held();

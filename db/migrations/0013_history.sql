-- Each restore of an earlier state begins another history: the ids that were given after that state are given again, to
-- others. A spool notes which history its leads belong to (server/spool/history.ts).
create table history (
  number bigint generated always as identity primary key,
  id uuid not null unique default gen_random_uuid(),
  -- Of the PostgreSQL that began it: a dump that is loaded into another one is a restore, too. A standby has its primary's.
  system_identifier text not null,
  began_at timestamptz not null default clock_timestamp()
);
grant select on history to afluente_app;

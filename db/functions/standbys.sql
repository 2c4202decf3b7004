/*
 * Whether what is committed is on another machine, too. Roles without rights of monitoring see no states of standbys, so
 * the owner looks: where that one is no superuser either, it needs pg_monitor.
 */
create or replace function has_synchronous_standby() returns boolean language sql stable security definer
  set search_path = pg_catalog, pg_temp as $$
  select current_setting('synchronous_standby_names') <> ''
    and exists (select from pg_stat_replication where sync_state in ('sync', 'quorum'))
$$;
revoke execute on function has_synchronous_standby from public;
grant execute on function has_synchronous_standby to afluente_app;

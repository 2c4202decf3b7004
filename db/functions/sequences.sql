-- Sequences of ids.

/*
 * Takes every sequence past the ids in use, and returns those that it moved: a restore or a change of databases under a
 * running server may have left them behind. Until then inserts fail, since ids are unique.
 */
create or replace function advance_sequences() returns setof text language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  one record;
  used bigint;
  next_one bigint;
begin
  for one in
    select seq.oid::regclass as name, refobjid::regclass as owner, attname as id
    from pg_class as seq
    join pg_depend on pg_depend.classid = 'pg_class'::regclass and objid = seq.oid and deptype in ('a', 'i')
      and refclassid = 'pg_class'::regclass
    join pg_attribute on attrelid = refobjid and attnum = refobjsubid
    where seq.relkind = 'S' and seq.relnamespace = 'public'::regnamespace
    order by 1
  loop
    execute format('select max(%I) from %s', one.id, one.owner) into used;
    execute format('select last_value + is_called::int from %s', one.name) into next_one;
    if next_one <= used then
      -- One by one, since setval could take it back behind an id that another session was given meanwhile.
      perform nextval(one.name) from generate_series(next_one, used);
      return next one.name::text;
    end if;
  end loop;
end $$;

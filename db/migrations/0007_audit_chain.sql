-- The audit trail as a chain: each entry with the hash of all before it, so that none is changed, removed or put in between
-- unseen, and none taken from the end by who does not know that its head was noted elsewhere.

create table audit_chain (
  -- In the order of the commits and without gaps, which the ids of entries have.
  number bigint primary key,
  entry_id bigint not null unique,
  hash bytea not null
);

/*
 * Never changed, nor anything that it calls: the hashes that are stored come from it. Without the address, which is
 * truncated after thirty days, and without empty columns, so that a later one changes no hash.
 */
create function audit_hash(previous bytea, number bigint, entry audit_entry) returns bytea language sql stable
  set timezone = 'UTC' set search_path = pg_catalog
begin atomic
  select sha256(previous || convert_to(number || jsonb_strip_nulls(to_jsonb(entry) - 'address')::text, 'UTF8'));
end;

/* At the commit: people's actions wait for each other no longer than that, and one that is rolled back takes no number. */
create function chain_audit_entry() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  last audit_chain;
  next bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit_chain', 0));
  select * into last from audit_chain order by number desc limit 1;
  next := coalesce(last.number, 0) + 1;
  insert into audit_chain (number, entry_id, hash) values (next, new.id, audit_hash(coalesce(last.hash, ''), next, new));
  return null;
end $$;

do $$
declare
  entry audit_entry;
  next bigint := 0;
  head bytea := '';
begin
  for entry in select * from audit_entry order by id loop
    next := next + 1;
    head := audit_hash(head, next, entry);
    insert into audit_chain (number, entry_id, hash) values (next, entry.id, head);
  end loop;
end $$;

create constraint trigger chain_audit_entry after insert on audit_entry deferrable initially deferred
  for each row execute function chain_audit_entry();

-- The partitions of leads. Called by server/leads/partitions.ts: one caller at a time cuts or closes, and one merges what
-- is closed meanwhile. A call that fails or is killed is simply made again.

/* Where the leads begin that no total holds yet: those of partitions that are not closed. PostgreSQL has no min(uuid). */
create or replace function first_uncounted_id() returns uuid language sql stable
  return (select min(first_id::text)::uuid from lead_partition where leads is null);

/* The right to cut and close until the transaction ends; without waiting: false when another caller has it. */
create or replace function hold_partitions() returns boolean language sql volatile
  return pg_try_advisory_xact_lock(hashtextextended('lead_partition', 0));

/*
 * Ends the open partition at `at`, from when on no lead exists yet, and opens the next. It locks out readers and
 * writers of leads, so it gives up after 50 ms of waiting for the lock (55P03). Until `at` comes nothing can be cut or
 * closed, so a caller whose clock is far ahead is refused.
 */
create or replace function cut_leads(at timestamptz) returns boolean language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '50ms' as $$
declare
  open_one lead_partition;
  cut_id uuid := first_id_of(at);
  next_name text := 'lead_' || left(translate(cut_id::text, '-', ''), 12);
  lower_bound text;
begin
  if at > clock_timestamp() + interval '1 minute' then
    raise exception 'no partition begins %, which is ahead of PostgreSQL''s clock: set the clock of this server', at
      using errcode = 'check_violation';
  end if;
  if not hold_partitions() then return false; end if;
  select * into open_one from lead_partition where end_id is null;
  if cut_id <= open_one.first_id then return false; end if;
  lower_bound := case when open_one.first_id = '00000000-0000-0000-0000-000000000000' then 'minvalue'
    else quote_literal(open_one.first_id) end;
  execute 'lock table only lead in access exclusive mode';
  -- Bounds cannot be altered. The open partition is small enough for its rows to be checked again.
  execute format('alter table lead detach partition %I', open_one.name);
  execute format('alter table lead attach partition %I for values from (%s) to (%L)', open_one.name, lower_bound, cut_id);
  execute format('create table %I partition of lead for values from (%L) to (maxvalue)', next_name, cut_id);
  -- A sequence that is set back must not give an id again: all that was given is smaller, since we hold the lock.
  execute format('create unique index on %I (id)', next_name);
  execute format('alter table %I add constraint id_follows check (id > %s)', next_name,
    (select last_value - (not is_called)::int from lead_id_seq));
  update lead_partition set end_id = cut_id where name = open_one.name;
  insert into lead_partition (name, first_id) values (next_name, cut_id);
  return true;
end $$;

/* The indexes of lists, filters and orders; built at once, each takes about 2 µs per lead, the trigrams 15. */
create or replace function index_leads(partition text) returns void language plpgsql
  set search_path = public, pg_temp set maintenance_work_mem = '128MB' set default_statistics_target = 20 as $$
declare
  columns text;
begin
  foreach columns in array array[
    '(issuer_id, tracking_id)', '(affiliate_id, tracking_id)', '(product_id, tracking_id)', '(external_id, tracking_id)',
    '(issuer_id, external_id, tracking_id)', '(affiliate_id, external_id, tracking_id)',
    -- Of a pair with a text: the leads of both, of which an affiliate may have millions, would be compared.
    '(affiliate_id, issuer_id, product_id)',
    'using gin (fold(external_id) gin_trgm_ops, fold(utm_source) gin_trgm_ops, fold(utm_medium) gin_trgm_ops,
      fold(utm_campaign) gin_trgm_ops, fold(utm_term) gin_trgm_ops, fold(utm_content) gin_trgm_ops)'
  ] loop
    execute format('create index on %I %s', partition, columns);
  end loop;
  execute format('create trigger late_lead after insert on %I for each row execute function count_late_lead()', partition);
  execute format('analyze %I', partition);
end $$;

/* Counts a lead that comes from the spool after its partition was closed. */
create or replace function count_late_lead() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  insert into total_delta (day, affiliate_id, issuer_id, product_id, leads)
    values (mexico_day(new.created_at), new.affiliate_id, new.issuer_id, new.product_id, 1);
  insert into result_delta (day, affiliate_id, issuer_id, product_id, slot, value, leads)
    select mexico_day(new.created_at), new.affiliate_id, new.issuer_id, new.product_id, slot, value, 1
    from result_values(new.utm_source, new.utm_medium, new.utm_campaign, new.utm_content, new.utm_term, new.lead_data);
  return null;
end $$;

/*
 * Closes a partition that has ended: builds its indexes and counts its leads. Readers go on, late leads wait.
 */
create or replace function close_partition(partition text) returns boolean language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '1s' as $$
declare
  counted bigint;
begin
  if not hold_partitions() then return false; end if;
  -- In order, so that all leads from one id on are the uncounted ones.
  if partition is distinct from
    (select name from lead_partition where leads is null and end_id is not null order by first_id limit 1)
  then return false; end if;
  execute format('lock table %I in share mode', partition);
  execute format('with added as (
      insert into total_delta (day, affiliate_id, issuer_id, product_id, leads)
      select mexico_day(created_at), affiliate_id, issuer_id, product_id, count(*) from %I group by 1, 2, 3, 4
      returning leads
    ) select coalesce(sum(leads), 0) from added', partition) into counted;
  execute format('insert into result_delta (day, affiliate_id, issuer_id, product_id, slot, value, leads)
      select mexico_day(created_at), affiliate_id, issuer_id, product_id, slot, value, count(*) from %I
      cross join lateral result_values(utm_source, utm_medium, utm_campaign, utm_content, utm_term, lead_data)
      group by 1, 2, 3, 4, 5, 6 order by count(*) desc', partition);
  perform index_leads(partition);
  update lead_partition set leads = counted where name = partition;
  return true;
end $$;

/*
 * Makes one of adjacent closed partitions, oldest first. Readers go on until the last moment, when they wait as in
 * lock_leads(); writers of late leads and corrections wait. Until then it takes no lock on `lead` itself, so that the
 * open partition can be cut meanwhile.
 */
create or replace function merge_partitions(names text[]) returns boolean language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  first_one lead_partition;
  last_end uuid;
  merged text;
  columns text;
  one text;
  counted bigint := 0;
  added bigint;
  lower_bound text;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('lead_partition merge', 0)) then return false; end if;
  select * into first_one from lead_partition where name = names[1];
  select end_id into last_end from lead_partition where name = names[cardinality(names)];
  if names is distinct from array(select name from lead_partition
    where first_id >= first_one.first_id and end_id <= last_end and leads is not null order by first_id)
  then return false; end if;
  merged := 'lead_' || left(translate(first_one.first_id::text, '-', ''), 12) || '_'
    || left(translate(last_end::text, '-', ''), 12);
  lower_bound := case when first_one.first_id = '00000000-0000-0000-0000-000000000000' then 'minvalue'
    else quote_literal(first_one.first_id) end;
  -- All columns but generated ones, by name.
  columns := (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
    where attrelid = names[1]::regclass and attnum > 0 and not attisdropped and attgenerated = '');
  -- With the constraint, attaching need not scan the rows under the lock.
  execute format('create table %I (like %I including defaults including generated, primary key (tracking_id),
    constraint bounds check (tracking_id >= %L and tracking_id < %L))', merged, names[1], first_one.first_id, last_end);
  foreach one in array names loop
    execute format('lock table %I in share mode', one);
    execute format('insert into %I (%s) select %s from %I order by tracking_id', merged, columns, columns, one);
    get diagnostics added = row_count;
    counted := counted + added;
  end loop;
  execute format('create index on %I (id)', merged);
  perform index_leads(merged);
  perform lock_leads();
  foreach one in array names loop
    execute format('drop table %I', one);
  end loop;
  execute format('alter table lead attach partition %I for values from (%s) to (%L)', merged, lower_bound, last_end);
  execute format('alter table %I drop constraint bounds', merged);
  delete from lead_partition where name = any(names);
  insert into lead_partition (name, first_id, end_id, leads)
    values (merged, first_one.first_id, last_end, counted);
  return true;
end $$;

/* Waits until no transaction reads or writes leads, 50 ms at a time so that none waits longer for this one. */
create or replace function lock_leads() returns void language plpgsql set lock_timeout = '50ms' as $$
begin
  for attempt in 1..100 loop
    begin
      execute 'lock table only lead in access exclusive mode';
      return;
    exception when lock_not_available then
      if attempt = 100 then raise; end if;
      perform pg_sleep(0.3);
    end;
  end loop;
end $$;

-- The partitions of leads. Called by server/leads/partitions.ts, one caller at a time; each may fail or be killed at any
-- moment and is simply called again.

/* Makes whoever calls wait for nobody else who does: false when another one is at work. */
create or replace function hold_partitions() returns boolean language sql volatile
  return pg_try_advisory_xact_lock(hashtextextended('lead_partition', 0));

/*
 * Ends the open partition at `at`, when no lead can be in it yet, and opens the next. Nobody reads or writes leads
 * meanwhile, so it gives up after a tenth of a second of waiting for its turn (55P03).
 */
create or replace function cut_leads(at timestamptz) returns boolean language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '100ms' as $$
declare
  open_one lead_partition;
  cut_id uuid := first_id_of(at);
  next_name text := 'lead_' || left(translate(cut_id::text, '-', ''), 12);
  lower_bound text;
begin
  if not hold_partitions() then return false; end if;
  select * into open_one from lead_partition where end_id is null;
  if cut_id <= open_one.first_id then return false; end if;
  lower_bound := case when open_one.first_id = '00000000-0000-0000-0000-000000000000' then 'minvalue'
    else quote_literal(open_one.first_id) end;
  execute 'lock table lead in access exclusive mode';
  execute format('alter table lead detach partition %I', open_one.name);
  execute format('alter table lead attach partition %I for values from (%s) to (%L)', open_one.name, lower_bound, cut_id);
  execute format('create table %I partition of lead for values from (%L) to (maxvalue)', next_name, cut_id);
  execute format('create index on %I (id)', next_name);
  update lead_partition set end_id = cut_id where name = open_one.name;
  insert into lead_partition (name, first_id) values (next_name, cut_id);
  return true;
end $$;

/* What lists, filters and orders need; in one go each takes about 2 µs a lead, the trigrams 15. */
create or replace function index_leads(partition text) returns void language plpgsql
  set search_path = public, pg_temp set maintenance_work_mem = '128MB' as $$
declare
  columns text;
begin
  foreach columns in array array[
    '(issuer_id, tracking_id)', '(affiliate_id, tracking_id)', '(product_id, tracking_id)', '(external_id, tracking_id)',
    '(issuer_id, external_id, tracking_id)', '(affiliate_id, external_id, tracking_id)',
    'using gin (fold(external_id) gin_trgm_ops, fold(utm_source) gin_trgm_ops, fold(utm_medium) gin_trgm_ops,
      fold(utm_campaign) gin_trgm_ops, fold(utm_term) gin_trgm_ops, fold(utm_content) gin_trgm_ops)'
  ] loop
    execute format('create index on %I %s', partition, columns);
  end loop;
  execute format('create trigger late_lead after insert on %I for each row execute function count_late_lead()', partition);
  execute format('analyze %I', partition);
end $$;

/* A lead that comes when its partition is closed, out of the spool, is counted by itself. */
create or replace function count_late_lead() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  insert into total_delta (day, affiliate_id, issuer_id, product_id, leads)
    values (mexico_day(new.created_at), new.affiliate_id, new.issuer_id, new.product_id, 1);
  return null;
end $$;

/*
 * Closes a partition that has ended: builds its indexes and counts its leads. Reading goes on; whoever still has a lead
 * for it waits.
 */
create or replace function close_partition(partition text) returns boolean language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '1s' as $$
declare
  counted bigint;
begin
  if not hold_partitions() then return false; end if;
  -- In order, so that the leads that are not counted yet are those since one id.
  if partition is distinct from
    (select name from lead_partition where leads is null and end_id is not null order by first_id limit 1)
  then return false; end if;
  execute format('lock table %I in share mode', partition);
  execute format('insert into total_delta (day, affiliate_id, issuer_id, product_id, leads)
    select mexico_day(created_at), affiliate_id, issuer_id, product_id, count(*) from %I group by 1, 2, 3, 4', partition);
  execute format('select count(*) from %I', partition) into counted;
  perform index_leads(partition);
  update lead_partition set leads = counted where name = partition;
  return true;
end $$;

/*
 * Makes one of closed partitions that lie side by side, oldest first. Reading goes on until the last moment, when it waits
 * as in cut_leads(); whoever has a late lead or a correction for them waits.
 */
create or replace function merge_partitions(names text[]) returns boolean language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  first_one lead_partition;
  last_end uuid;
  merged text;
  one text;
  counted bigint := 0;
  added bigint;
  lower_bound text;
begin
  if not hold_partitions() then return false; end if;
  select * into first_one from lead_partition where name = names[1];
  select end_id into last_end from lead_partition where name = names[cardinality(names)];
  if names is distinct from array(select name from lead_partition
    where first_id >= first_one.first_id and end_id <= last_end and leads is not null order by first_id)
  then return false; end if;
  merged := 'lead_' || left(translate(first_one.first_id::text, '-', ''), 12) || '_'
    || left(translate(last_end::text, '-', ''), 12);
  lower_bound := case when first_one.first_id = '00000000-0000-0000-0000-000000000000' then 'minvalue'
    else quote_literal(first_one.first_id) end;
  execute format('create table %I (like lead including defaults including generated, primary key (tracking_id),
    constraint bounds check (tracking_id >= %L and tracking_id < %L))', merged, first_one.first_id, last_end);
  foreach one in array names loop
    execute format('lock table %I in share mode', one);
    execute format('insert into %I (tracking_id, id, relationship_id, affiliate_id, issuer_id, product_id, external_id,
        utm_source, utm_medium, utm_campaign, utm_term, utm_content, lead_data)
      select tracking_id, id, relationship_id, affiliate_id, issuer_id, product_id, external_id,
        utm_source, utm_medium, utm_campaign, utm_term, utm_content, lead_data from %I order by tracking_id', merged, one);
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
  insert into lead_partition values (merged, first_one.first_id, last_end, counted);
  return true;
end $$;

/* Waits for the moment in which nobody reads or writes leads, a tenth of a second at a time so that nobody waits longer. */
create or replace function lock_leads() returns void language plpgsql set lock_timeout = '100ms' as $$
begin
  for attempt in 1..100 loop
    begin
      execute 'lock table lead in access exclusive mode';
      return;
    exception when lock_not_available then
      if attempt = 100 then raise; end if;
      perform pg_sleep(0.3);
    end;
  end loop;
end $$;

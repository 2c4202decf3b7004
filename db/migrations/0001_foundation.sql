-- The whole ground: people, companies, what they promote, what happened, what is owed.
-- Moments are timestamptz(3): the wire carries milliseconds, so If-Match compares what is stored.
-- Nothing with history is deleted: archived_at hides a row (decisions D19), partial unique indexes let it be made again.

create extension if not exists unaccent;
create extension if not exists pg_trgm;

/* unaccent is only STABLE because its dictionary could change; ours does not. */
create function fold_letters(value text) returns text language sql immutable strict parallel safe
  return lower(public.unaccent('public.unaccent'::regdictionary, value));

/* Case and accents folded, for searching. Most texts have no accents, and this much of it PostgreSQL writes out. */
create function fold(value text) returns text language sql immutable parallel safe
  return case when octet_length(value) = char_length(value) then lower(value) else public.fold_letters(value) end;

/* What every kept total counts by. */
create function mexico_day(moment timestamptz) returns date language sql immutable strict parallel safe
  return (moment at time zone 'America/Mexico_City')::date;

create function touch_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := greatest(now(), old.updated_at + interval '1 millisecond');
  return new;
end $$;

/* Wakes the link targets that the click keeps in memory. */
create function notify_link_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('link_change', tg_table_name);
  return null;
end $$;

/* Wakes whatever caches who a bearer is. */
create function notify_viewer_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('viewer_change', tg_table_name);
  return null;
end $$;

create table affiliate (
  id bigint generated always as identity primary key,
  company_name text not null check (char_length(company_name) between 2 and 100),
  rfc text not null check (char_length(rfc) between 12 and 13),
  address text not null default '',
  contact_name text not null,
  contact_phone text not null default '' check (contact_phone = '' or contact_phone ~ '^\+52[0-9]{10}$'),
  contact_email text not null,
  url text not null default '',
  user_status text not null default 'active' check (user_status in ('active', 'inactive')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3)
);

create table issuer (like affiliate including all);

-- The two generic RFCs stand for many companies (mexico 4.1).
create unique index affiliate_rfc_key on affiliate (rfc)
  where archived_at is null and rfc not in ('XAXX010101000', 'XEXX010101000');
create unique index issuer_rfc_key on issuer (rfc)
  where archived_at is null and rfc not in ('XAXX010101000', 'XEXX010101000');

create table "user" (
  id bigint generated always as identity primary key,
  email text not null check (email = lower(email) and char_length(email) <= 254),
  first_name text not null,
  last_name text not null,
  password_hash text not null,
  role text not null check (role in ('admin', 'issuer', 'affiliate')),
  affiliate_id bigint references affiliate,
  issuer_id bigint references issuer,
  user_status text not null default 'active' check (user_status in ('active', 'inactive', 'suspended')),
  last_login timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3),
  constraint user_association_check check (
    (role = 'admin' and affiliate_id is null and issuer_id is null)
    or (role = 'affiliate' and affiliate_id is not null and issuer_id is null)
    or (role = 'issuer' and issuer_id is not null and affiliate_id is null))
);
create unique index user_email_key on "user" (email) where archived_at is null;
create index user_affiliate_index on "user" (affiliate_id) where affiliate_id is not null;
create index user_issuer_index on "user" (issuer_id) where issuer_id is not null;

create table session (
  id uuid primary key default gen_random_uuid(),
  user_id bigint not null references "user",
  refresh_hash bytea not null unique,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  address text not null,
  user_agent text not null,
  revoked_at timestamptz(3),
  revoked_reason text
);
create index session_user_index on session (user_id, created_at);

-- Counters of rate-limiter-flexible; a restart keeps them, a crash may lose them (security 2.4).
create unlogged table throttle (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

-- A row with neither affiliate nor issuer cannot exist; rotation adds a row and ends the one before.
create table api_key (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('api', 'postback')),
  affiliate_id bigint references affiliate,
  issuer_id bigint references issuer,
  prefix text not null,
  key_hash bytea not null unique,
  key_ciphertext bytea not null,
  kek_id text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  check (num_nonnulls(affiliate_id, issuer_id) = 1),
  check (kind = 'api' or issuer_id is not null)
);
create unique index api_key_current_affiliate on api_key (affiliate_id, kind) where expires_at is null and affiliate_id is not null;
create unique index api_key_current_issuer on api_key (issuer_id, kind) where expires_at is null and issuer_id is not null;

create table relationship (
  id bigint generated always as identity primary key,
  affiliate_id bigint not null references affiliate,
  issuer_id bigint not null references issuer,
  notes text not null default '' check (char_length(notes) <= 1000),
  relationship_status text not null default 'active' check (relationship_status in ('active', 'inactive')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3),
  unique (id, affiliate_id, issuer_id)
);
create unique index relationship_pair_key on relationship (affiliate_id, issuer_id) where archived_at is null;
create index relationship_issuer_index on relationship (issuer_id);

create table product (
  id bigint generated always as identity primary key,
  issuer_id bigint not null references issuer,
  name text not null check (char_length(name) between 2 and 255),
  description text not null,
  redirect_url text not null check (position('{tracking_id}' in redirect_url) > 0),
  product_status text not null default 'active' check (product_status in ('active', 'inactive')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3),
  unique (id, issuer_id)
);
create index product_issuer_index on product (issuer_id);

create table event_type (
  id bigint primary key,
  name text not null unique
);
insert into event_type (id, name) values
  (1, 'step_1'), (2, 'step_2'), (3, 'aprobado'), (4, 'rechazado'), (5, 'entregado');

create table event_step (
  id bigint generated always as identity primary key,
  product_id bigint not null references product,
  event_type_id bigint not null references event_type,
  name text not null check (char_length(name) between 3 and 255),
  description text not null default '' check (char_length(description) <= 500),
  step_order integer not null check (step_order >= 1),
  is_payout_event boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3),
  -- Archived steps leave the order to the living; null orders never collide.
  live_order integer generated always as (case when archived_at is null then step_order end) stored,
  -- Deferrable so that one UPDATE may swap two orders (D34).
  constraint event_step_order_key unique (product_id, live_order) deferrable initially immediate
);

create table commission (
  id bigint generated always as identity primary key,
  issuer_id bigint not null,
  affiliate_id bigint not null references affiliate,
  product_id bigint not null,
  -- Emptied when the relationship moves to another pair, which ends the commission (D24).
  relationship_id bigint,
  name text not null check (char_length(name) between 3 and 100),
  description text not null default '',
  payout numeric(14, 2) not null check (payout >= 0),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3),
  check (archived_at is not null or relationship_id is not null),
  foreign key (product_id, issuer_id) references product (id, issuer_id),
  foreign key (relationship_id, affiliate_id, issuer_id) references relationship (id, affiliate_id, issuer_id)
);
create unique index commission_pair_key on commission (product_id, affiliate_id) where archived_at is null;
create index commission_issuer_index on commission (issuer_id);
create index commission_affiliate_index on commission (affiliate_id);

-- One row a click. The four ids are snapshots as of the click and carry no foreign keys: their rows are never deleted,
-- and a check of each per click would cost more than the click. For the same reason nothing is counted here, and no index
-- serves a list: lead_search and the counts learn of a lead some seconds later (file_leads).
create table lead (
  id bigint generated always as identity primary key,
  tracking_id uuid not null unique,
  relationship_id bigint not null,
  affiliate_id bigint not null,
  issuer_id bigint not null,
  product_id bigint not null,
  external_id text not null default '',
  utm_source text not null default '',
  utm_medium text not null default '',
  utm_campaign text not null default '',
  utm_term text not null default '',
  utm_content text not null default '',
  lead_data jsonb,
  created_at timestamptz(3) not null default now()
);

-- Leads per day of Mexico City and party, as far as they are filed: totals, far pages and reports come from lead_count
-- instead of a scan (D50, D51).
create table filed_count (
  day date not null,
  affiliate_id bigint not null,
  issuer_id bigint not null,
  product_id bigint not null,
  count bigint not null,
  primary key (day, affiliate_id, issuer_id, product_id)
) with (autovacuum_vacuum_threshold = 50000, autovacuum_vacuum_scale_factor = 0);
-- A party's rows lie scattered over the table, so they are read from here alone: a fifth of the time, for half as much
-- again to write when they change.
create index filed_count_affiliate_index on filed_count (affiliate_id, day) include (issuer_id, product_id, count);
create index filed_count_issuer_index on filed_count (issuer_id, day) include (affiliate_id, product_id, count);
create index filed_count_product_index on filed_count (product_id, day) include (affiliate_id, issuer_id, count);

-- The same of each party alone, and of the whole network: the leads of a day are one row instead of one for every pair
-- and product.
create table filed_day (
  -- The column of a lead that names it; that of the network is 0.
  party text not null check (party in ('network', 'affiliate_id', 'issuer_id', 'product_id')),
  party_id bigint not null,
  day date not null,
  count bigint not null,
  check ((party = 'network') = (party_id = 0)),
  primary key (party, party_id, day)
) with (fillfactor = 80);

-- Days that were over when something was added to them: whoever keeps sums of more than a day has to do so anew. Only
-- keep_spans() takes such a note away, and only one that it has heeded.
create table day_change (day date not null);
create index day_change_index on day_change (day);

-- What each copy of the server, known by the spool on its disk, has last said of itself: every lead of which it
-- acknowledged the click before clear_until is in the database.
create table spool_notice (
  spool_id uuid primary key,
  clear_until timestamptz(3) not null,
  heard_at timestamptz not null default now()
);

/*
 * Which leads came the same way: of the same parties, with the same five texts. Seeded hashes that PostgreSQL keeps
 * stable for its partitions; those of the texts go over md5, so that texts do not hash alike by chance or by a simple trick.
 * The first four bits are the campaign's, so that in an index its ways lie together.
 */
create function origin_of(
  affiliate_id bigint, issuer_id bigint, product_id bigint, source text, medium text, campaign text, term text, content text
) returns bigint language sql immutable parallel safe
  return (hashtextextended(campaign, 0) << 60) | (((1::bigint << 60) - 1) & hashtextextended(
    md5(source || chr(31) || medium || chr(31) || campaign || chr(31) || term || chr(31) || content),
    hashint8extended(affiliate_id, hashint8extended(issuer_id, product_id))));

create function text_of(source text, medium text, campaign text, term text, content text) returns bigint
  language sql immutable parallel safe
  return hashtextextended(
    md5(source || chr(31) || medium || chr(31) || campaign || chr(31) || term || chr(31) || content), 0);

-- Every way on which leads came, once, with its texts folded: what a filter by text looks through instead of the leads.
create table lead_origin (
  id bigint primary key,
  text_id bigint not null,
  affiliate_id bigint not null,
  issuer_id bigint not null,
  product_id bigint not null,
  utm_source text not null,
  utm_medium text not null,
  utm_campaign text not null,
  utm_term text not null,
  utm_content text not null,
  count bigint not null
) with (fillfactor = 80);

-- The leads themselves, as narrow as listing and searching need them. Their indexes would cost the click more than its
-- lead does, so it knows nothing of this: file_leads() enters leads in heaps some seconds later, and whoever lists or
-- counts looks through those after lead_filing.filed_id as well.
create table lead_search (
  id bigint not null,
  created_at timestamptz(3) not null,
  origin_id bigint not null,
  affiliate_id bigint not null,
  issuer_id bigint not null,
  product_id bigint not null,
  external_id text not null,
  -- Of each external id one lead, so that many leads with the same are one entry for who looks for a part of it.
  is_first boolean not null,
  primary key (created_at, id) include (origin_id, external_id)
) with (autovacuum_vacuum_insert_threshold = 100000, autovacuum_vacuum_insert_scale_factor = 0);
create index lead_search_issuer_time_index on lead_search (issuer_id, created_at, id);
create index lead_search_affiliate_time_index on lead_search (affiliate_id, created_at, id);
create index lead_search_product_time_index on lead_search (product_id, created_at, id);
create index lead_search_origin_index on lead_search (origin_id, created_at, id);
create index lead_search_external_index on lead_search (external_id, id) include (origin_id);
create index lead_search_external_time_index on lead_search (external_id, created_at, id) include (origin_id);
-- For counting leads with some external ids that came on some ways: those with the same two are one entry. PostgreSQL
-- cannot know how many ways a question names and would rather read one of the others row by row, so this one alone fits
-- conditions that are written so. The last column is what is read of an entry; included it would keep each lead apart.
create index lead_search_pair_index on lead_search (external_id collate "POSIX", (origin_id + 0), origin_id);
create index lead_search_issuer_index on lead_search (issuer_id, external_id, id);
create index lead_search_affiliate_index on lead_search (affiliate_id, external_id, id);
create index lead_search_text_index on lead_search using gin (fold(external_id) gin_trgm_ops) where is_first;

-- For keep_common_ids(): up to a thousand external ids that many leads share. As statistics of the column itself they would
-- be weighed in each plan that is told external ids, at 70 µs for each of these.
create statistics lead_search_common_ids on (external_id || '') from lead_search;
alter statistics lead_search_common_ids set statistics 1000;

-- External ids that some thousand leads share, and how many of these came each way: whoever counts leads with such an id
-- would read more of them every year, where the ways on which they come are always about the same. Ids that never had many
-- leads are not here, and cost nothing. keep_common_ids() finds an id and counts its leads once; then whoever files does.
create table common_external_id (external_id text primary key);
create table common_count (
  external_id text not null references common_external_id,
  product_id bigint not null,
  origin_id bigint not null,
  count bigint not null,
  primary key (external_id, product_id, origin_id) include (count)
) with (autovacuum_vacuum_threshold = 50000, autovacuum_vacuum_scale_factor = 0);
-- The same whoever the affiliate and whatever the product was: a fifth of the rows.
create table common_text_count (
  external_id text not null references common_external_id,
  issuer_id bigint not null,
  text_id bigint not null,
  count bigint not null,
  primary key (external_id, issuer_id, text_id) include (count)
) with (autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_scale_factor = 0);

-- seen_id is the newest lead there was at some moment: when everybody who wrote leads at that moment has finished, no
-- lead up to it can still come.
create table lead_filing (
  id smallint primary key default 1 check (id = 1),
  filed_id bigint not null default 0,
  seen_id bigint not null default 0,
  seen_writers text[] not null default '{}',
  rests_until timestamptz not null default '-infinity',
  -- How many leads came a second, between the last two looks at the newest.
  looked_id bigint not null default 0,
  looked_at timestamptz not null default now(),
  per_second double precision not null default 0
);
insert into lead_filing default values;

/*
 * Leads that nobody has filed yet. They are a few beside all others, which PostgreSQL cannot know; so that it takes them
 * from the end of the index whatever it guesses, this is no part of anybody's plan.
 */
create function unfiled_leads() returns table (
  id bigint, day date, affiliate_id bigint, issuer_id bigint, product_id bigint
) language sql stable rows 1000 set enable_seqscan = off
begin atomic
  select id, mexico_day(created_at), affiliate_id, issuer_id, product_id
  from lead where id > (select filed_id from lead_filing);
end;

/*
 * How many leads there are per day and party: right at every moment, in some rows of a day more or less. Whoever names the
 * kind of party has the leads that wait read once.
 */
create view lead_count as
  select day, affiliate_id, issuer_id, product_id, count from filed_count
  union all
  select day, affiliate_id, issuer_id, product_id, 1::bigint from unfiled_leads();
create view lead_day as
  select party, party_id, day, count from filed_day
  union all
  select 'network', 0::bigint, day, 1::bigint from unfiled_leads()
  union all
  select 'affiliate_id', affiliate_id, day, 1::bigint from unfiled_leads()
  union all
  select 'issuer_id', issuer_id, day, 1::bigint from unfiled_leads()
  union all
  select 'product_id', product_id, day, 1::bigint from unfiled_leads();

/* Who is writing leads at this moment, also before the first has got its transaction's number. */
create function lead_writers() returns text[] language sql volatile
  return array(
    select virtualtransaction from pg_locks
    where relation = 'lead'::regclass and mode = 'RowExclusiveLock'
      and database = (select oid from pg_database where datname = current_database()));

create function enter_leads(ids bigint[]) returns void language sql
begin atomic
  with entered as materialized (
    select id, created_at, affiliate_id, issuer_id, product_id, external_id,
      utm_source, utm_medium, utm_campaign, utm_term, utm_content,
      origin_of(affiliate_id, issuer_id, product_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content) as origin_id,
      text_of(utm_source, utm_medium, utm_campaign, utm_term, utm_content) as text_id
    from lead where id = any(ids)
  ), origin as (
    insert into lead_origin as kept
      select origin_id, text_id, affiliate_id, issuer_id, product_id, fold(utm_source), fold(utm_medium), fold(utm_campaign),
        fold(utm_term), fold(utm_content), count
      from (
        select distinct on (origin_id) *, count(*) over (partition by origin_id) from entered order by origin_id
      ) as origin
      on conflict (id) do update set count = kept.count + excluded.count
  ), common as materialized (
    select external_id, origin_id, issuer_id, product_id, text_id from entered join common_external_id using (external_id)
  ), by_way as (
    insert into common_count as kept
      select external_id, product_id, origin_id, count(*) from common group by 1, 2, 3 order by 1, 2, 3
      on conflict (external_id, product_id, origin_id) do update set count = kept.count + excluded.count
  ), by_text as (
    insert into common_text_count as kept
      select external_id, issuer_id, text_id, count(*) from common group by 1, 2, 3 order by 1, 2, 3
      on conflict (external_id, issuer_id, text_id) do update set count = kept.count + excluded.count
  )
  insert into lead_search
    select id, created_at, origin_id, affiliate_id, issuer_id, product_id, external_id,
      row_number() over (partition by external_id order by id) = 1
        and not exists (select from lead_search as known where known.external_id = entered.external_id)
    from entered;
end;

create function count_leads(ids bigint[]) returns void language sql
begin atomic
  with part as (
    select mexico_day(created_at) as day, affiliate_id, issuer_id, product_id, count(*) as count
    from lead where id = any(ids) group by 1, 2, 3, 4
  ), together as (
    insert into filed_count as kept select * from part order by day, affiliate_id, issuer_id, product_id
      on conflict (day, affiliate_id, issuer_id, product_id) do update set count = kept.count + excluded.count
  ), alone as (
    insert into filed_day as kept
      select party, party_id, day, sum(count)
      from part cross join lateral (values
        ('network', 0), ('affiliate_id', affiliate_id), ('issuer_id', issuer_id), ('product_id', product_id)
      ) as own (party, party_id) group by 1, 2, 3 order by 1, 2, 3
      on conflict (party, party_id, day) do update set count = kept.count + excluded.count
  )
  -- Nearly always today: only the spool brings what is older.
  insert into day_change select distinct day from part where day < mexico_day(now());
end;

/*
 * Files the next leads; after how many seconds more can be filed. Between two heaps it rests, whoever calls, a fifth as
 * long as it worked when there are few clicks, nine times as long when they come by the hundreds a second, and up to forty
 * times when they come by the thousands, which is more than it could file anyway: they come first.
 */
create function file_leads(at_most bigint) returns double precision language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  filing lead_filing;
  upto bigint;
  next_ids bigint[];
  newest bigint;
  rest interval;
begin
  -- A heap that a crash takes away is filed again; a setting of the function itself would end before the COMMIT.
  perform set_config('synchronous_commit', 'off', true);
  select * into filing from lead_filing where rests_until <= clock_timestamp() for update skip locked;
  if not found or lead_writers() && filing.seen_writers then return 1; end if;
  -- So many leads, not ids: of these a restored or failed database leaves out as many as it likes.
  next_ids := array(select id from lead where id > filing.filed_id and id <= filing.seen_id order by id limit at_most);
  upto := case when cardinality(next_ids) < at_most then filing.seen_id else next_ids[at_most] end;
  if next_ids <> '{}' then
    perform enter_leads(next_ids);
    perform count_leads(next_ids);
  end if;
  if upto = filing.seen_id then
    filing.seen_id := coalesce((select max(id) from lead), 0);
    if filing.seen_id = filing.filed_id then return 1; end if;
    -- Asked after: whoever is about to write an earlier one is among them.
    filing.seen_writers := lead_writers();
  end if;
  if clock_timestamp() >= filing.looked_at + interval '1 second' then
    newest := coalesce((select max(id) from lead), 0);
    filing.per_second := (newest - filing.looked_id) / extract(epoch from clock_timestamp() - filing.looked_at);
    filing.looked_id := newest;
    filing.looked_at := clock_timestamp();
  end if;
  rest := greatest(0.2, least(filing.per_second / 50, 9), least(filing.per_second / 110, 40))
    * (clock_timestamp() - statement_timestamp());
  filing.rests_until := clock_timestamp() + rest;
  update lead_filing set (filed_id, seen_id, seen_writers, rests_until, looked_id, looked_at, per_second) =
    (upto, filing.seen_id, filing.seen_writers, filing.rests_until, filing.looked_id, filing.looked_at, filing.per_second);
  return case when filing.seen_id - upto < at_most then 1 else extract(epoch from rest) end;
end $$;

/*
 * Has some external ids counted from now on of which ANALYZE says that a thousand leads share them; how many of these are
 * new, 0 when none is left for whoever asks. As many at a time as have some 200,000 leads, since nothing is filed meanwhile.
 */
create function keep_common_ids() returns bigint language plpgsql security definer
  set search_path = public, pg_temp set work_mem = '64MB' as $$
declare
  ids text[] := array(
    select value from (
      select value, leads, sum(leads) over (order by leads desc, value) as upto from (
        select value, part * reltuples as leads
        from pg_stats_ext_exprs
        cross join lateral unnest(most_common_vals::text::text[], most_common_freqs) as often (value, part)
        join pg_class on pg_class.oid = 'lead_search'::regclass
        where (statistics_schemaname, statistics_name) = ('public', 'lead_search_common_ids')
      ) as often
      where value <> '' and leads >= 1000 and value not in (select external_id from common_external_id)
        -- ANALYZE has not heard of those that were erased since.
        and exists (select from lead_search where external_id = value)
    ) as common where upto - leads < 200000);
begin
  if ids = '{}' then return 0; end if;
  -- What is filed at this moment would be counted twice or not at all.
  perform from lead_filing for update;
  with new as (
    insert into common_external_id
      select value from unnest(ids) as value where exists (select from lead_search where external_id = value)
      on conflict do nothing returning external_id
  )
  select coalesce(array_agg(external_id), '{}') into ids from new;
  with part as (
    select external_id, origin_id, issuer_id, product_id, count(*)
    from lead_search where external_id = any(ids) group by 1, 2, 3, 4
  ), by_way as (
    insert into common_count select external_id, product_id, origin_id, sum(count) from part group by 1, 2, 3
  )
  insert into common_text_count
    select external_id, part.issuer_id, text_id, sum(part.count)
    from part join lead_origin on lead_origin.id = origin_id group by 1, 2, 3;
  return cardinality(ids);
end $$;

/* A lead that is corrected or erased is filed anew; texts that no lead has any more go from here, too. */
create function refile_leads() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changed bigint[];
  lost text[];
  left_ids text[];
begin
  -- Whoever files at this moment may have read the old texts: first come those, then this.
  perform from lead_filing for update;
  changed := array(
    select after.id from before join after using (id)
    where after.id <= (select filed_id from lead_filing) and
      (before.external_id, before.utm_source, before.utm_medium, before.utm_campaign, before.utm_term, before.utm_content)
      <> (after.external_id, after.utm_source, after.utm_medium, after.utm_campaign, after.utm_term, after.utm_content));
  if changed = '{}' then return null; end if;
  with gone as (
    delete from lead_search using before
    where (lead_search.created_at, lead_search.id) = (before.created_at, before.id) and before.id = any(changed)
    returning lead_search.*
  ), counted as (
    update lead_origin as kept set count = kept.count - part.count
    from (select origin_id, count(*) from gone group by 1) as part where kept.id = part.origin_id
  ), by_way as (
    update common_count as kept set count = kept.count - part.count
    from (select external_id, product_id, origin_id, count(*) from gone group by 1, 2, 3) as part
    where (kept.external_id, kept.product_id, kept.origin_id) = (part.external_id, part.product_id, part.origin_id)
  ), by_text as (
    update common_text_count as kept set count = kept.count - part.count
    from (
      select external_id, gone.issuer_id, text_id, count(*)
      from gone join lead_origin on lead_origin.id = origin_id group by 1, 2, 3
    ) as part
    where (kept.external_id, kept.issuer_id, kept.text_id) = (part.external_id, part.issuer_id, part.text_id)
  )
  select array(select external_id from gone where is_first), array(select distinct external_id from gone) into lost, left_ids;
  delete from lead_origin where count = 0;
  delete from common_count where external_id = any(left_ids) and count = 0;
  delete from common_text_count as kept where external_id = any(left_ids)
    and (count = 0 or not exists (select from common_count where common_count.external_id = kept.external_id));
  delete from common_external_id as kept where external_id = any(left_ids)
    and not exists (select from common_count where common_count.external_id = kept.external_id);
  update lead_search set is_first = true where (created_at, id) in (
    select next.created_at, next.id from unnest(lost) as lost_id cross join lateral (
      select created_at, id from lead_search where external_id = lost_id order by id limit 1) as next);
  perform enter_leads(changed);
  return null;
end $$;
create trigger refile_leads after update on lead referencing old table as before new table as after
  for each statement execute function refile_leads();

create table lead_event (
  id bigint generated always as identity primary key,
  lead_id bigint not null references lead,
  issuer_id bigint not null,
  step_id bigint not null references event_step,
  step_name text not null,
  event_type_id bigint not null references event_type,
  event_type_name text not null,
  source text not null check (char_length(source) <= 50),
  event_data jsonb,
  event_id text,
  occurred_at timestamptz(3),
  clock_skew boolean not null default false,
  -- The sender's event_id, else a hash of what happened; never expires (api.md 3).
  idempotency_key text not null,
  fingerprint bytea not null,
  created_at timestamptz(3) not null default now()
);
create unique index lead_event_idempotency_key on lead_event (issuer_id, idempotency_key);
create index lead_event_lead_index on lead_event (lead_id, created_at, id);
create index lead_event_issuer_index on lead_event (issuer_id, id);
create index lead_event_created_index on lead_event (created_at);

create table payment (
  id bigint generated always as identity primary key,
  relationship_id bigint not null references relationship,
  affiliate_id bigint not null references affiliate,
  issuer_id bigint not null references issuer,
  period_start date not null,
  period_end date not null,
  total_leads integer not null check (total_leads >= 0),
  total_conversions integer not null check (total_conversions >= 0),
  total_amount numeric(14, 2) not null check (total_amount >= 0),
  payment_status text not null default 'pending' check (payment_status in ('pending', 'processing', 'paid', 'cancelled')),
  payment_date date,
  notes text not null default '' check (char_length(notes) <= 500),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3),
  check (period_end > period_start),
  check (total_conversions <= total_leads)
);
create unique index payment_period_key on payment (relationship_id, period_start, period_end)
  where archived_at is null and payment_status <> 'cancelled';
create index payment_affiliate_index on payment (affiliate_id);
create index payment_issuer_index on payment (issuer_id);

-- The ledger behind every payment (api.md 5). An amount is the one in force at its event; nothing rewrites the past.
create table commission_entry (
  id bigint generated always as identity primary key,
  lead_id bigint not null references lead,
  step_id bigint not null references event_step,
  lead_event_id bigint not null references lead_event,
  commission_id bigint not null references commission,
  relationship_id bigint not null,
  affiliate_id bigint not null,
  issuer_id bigint not null,
  product_id bigint not null,
  amount numeric(14, 2) not null,
  state text not null check (state in ('accrued', 'in_payment', 'paid', 'reversed')),
  payment_id bigint references payment,
  -- The paid entry that this negative one takes back.
  reversal_of bigint unique references commission_entry,
  reason text,
  earned_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((amount >= 0) = (reversal_of is null) or amount = 0),
  check (state not in ('in_payment', 'paid') or payment_id is not null),
  check (state <> 'accrued' or payment_id is null)
);
create unique index commission_entry_step_key on commission_entry (lead_id, step_id) where reversal_of is null;
-- By the pair: an entry is paid to who earned it, whatever its relationship points at later.
create index commission_entry_period_index on commission_entry (affiliate_id, issuer_id, earned_at, id)
  include (state, amount, payment_id);
-- What a payment may still take: little beside all that was ever earned, and looked for from the pair's first day on.
create index commission_entry_accrued_index on commission_entry (affiliate_id, issuer_id, earned_at) include (amount)
  where state = 'accrued';
create index commission_entry_payment_index on commission_entry (payment_id, earned_at, id) include (state, amount)
  where payment_id is not null;
create index commission_entry_earned_index on commission_entry (earned_at);
create index commission_entry_lead_index on commission_entry (lead_id, id);

-- Which steps leads reached per day of Mexico City and party.
create table step_total (
  day date not null,
  affiliate_id bigint not null,
  issuer_id bigint not null,
  product_id bigint not null,
  step_id bigint not null,
  -- Leads that reached the step for the first time on this day.
  reached bigint not null,
  -- Leads that clicked on this day and have reached the step by now.
  clicks_reached bigint not null,
  -- A product's rows lie scattered over the table, so its funnel is read from here alone.
  primary key (product_id, day, step_id, affiliate_id, issuer_id) include (reached, clicks_reached)
) with (autovacuum_vacuum_threshold = 50000, autovacuum_vacuum_scale_factor = 0);

-- What was earned per day of Mexico City and party. These two and the counts of leads are all that reports are made of.
create table earning_total (
  day date not null,
  affiliate_id bigint not null,
  issuer_id bigint not null,
  product_id bigint not null,
  -- Leads whose first commission was earned on this day, less those whose paid one was taken back on it.
  conversions bigint not null,
  -- Commission earned on this day, by the state that it is in now.
  accrued numeric(16, 2) not null,
  in_payment numeric(16, 2) not null,
  paid numeric(16, 2) not null,
  reversed numeric(16, 2) not null,
  primary key (day, affiliate_id, issuer_id, product_id)
) with (fillfactor = 80);
create index earning_total_affiliate_index on earning_total (affiliate_id, day);
create index earning_total_issuer_index on earning_total (issuer_id, day);
create index earning_total_product_index on earning_total (product_id, day);

-- What each payment holds: its entries that count, all of them of its own period.
create table held_total (
  payment_id bigint primary key references payment,
  entries bigint not null,
  amount numeric(16, 2) not null
) with (fillfactor = 80);

-- What an open transaction will add to them. Its rows live until it ends and nobody else ever sees them.
create unlogged table total_change (
  transaction xid8 not null default pg_current_xact_id(),
  -- On the first row that the transaction leaves: one look at the end is enough for all of them.
  is_first boolean not null,
  day date not null,
  affiliate_id bigint not null,
  issuer_id bigint not null,
  product_id bigint not null,
  -- Null in a row of earnings.
  step_id bigint,
  reached bigint not null default 0,
  clicks_reached bigint not null default 0,
  conversions bigint not null default 0,
  accrued numeric(16, 2) not null default 0,
  in_payment numeric(16, 2) not null default 0,
  paid numeric(16, 2) not null default 0,
  reversed numeric(16, 2) not null default 0,
  -- Who holds the entries that are in a payment or paid, and how many they are.
  payment_id bigint,
  entries bigint not null default 0
);
create index total_change_index on total_change (transaction);

create function has_total_changes() returns boolean language sql stable
  return exists (select from public.total_change where transaction = pg_current_xact_id());

/* At the commit or just before, all at once and in one order: no total is locked while anything else is still to be locked. */
create function add_total_changes() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  over date[];
begin
  with own as (
    delete from total_change where transaction = pg_current_xact_id() returning *
  ), by_step as (
    insert into step_total as kept
      select day, affiliate_id, issuer_id, product_id, step_id, sum(reached), sum(clicks_reached)
      from own where step_id is not null group by day, affiliate_id, issuer_id, product_id, step_id
      order by product_id, day, step_id, affiliate_id, issuer_id
      on conflict (product_id, day, step_id, affiliate_id, issuer_id) do update set
        reached = kept.reached + excluded.reached,
        clicks_reached = kept.clicks_reached + excluded.clicks_reached
  ), sums as (
    select day, affiliate_id, issuer_id, product_id, sum(conversions) as conversions, sum(accrued) as accrued,
      sum(in_payment) as in_payment, sum(paid) as paid, sum(reversed) as reversed
    from own where step_id is null group by day, affiliate_id, issuer_id, product_id
  ), added as (
    insert into earning_total as kept
      select * from sums
      where (conversions, accrued, in_payment, paid, reversed) <> (0, 0, 0, 0, 0)
      order by day, affiliate_id, issuer_id, product_id
      on conflict (day, affiliate_id, issuer_id, product_id) do update set
        conversions = kept.conversions + excluded.conversions,
        accrued = kept.accrued + excluded.accrued,
        in_payment = kept.in_payment + excluded.in_payment,
        paid = kept.paid + excluded.paid,
        reversed = kept.reversed + excluded.reversed
      returning kept.day
  ), held as (
    insert into held_total as kept
      select payment_id, sum(entries), sum(in_payment + paid) from own where payment_id is not null group by payment_id
      having (sum(entries), sum(in_payment + paid)) <> (0, 0) order by payment_id
      on conflict (payment_id) do update set
        entries = kept.entries + excluded.entries,
        amount = kept.amount + excluded.amount
  )
  select array_agg(day) into over from added where day < mexico_day(now());
  if over is not null then
    insert into day_change select distinct unnest(over);
  end if;
  return null;
end $$;
create constraint trigger add_total_changes after insert on total_change
  deferrable initially deferred for each row when (new.is_first) execute function add_total_changes();

/* Whoever stores an event holds the lock of its lead, so nobody else is storing the same first one. */
create function note_reached() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into total_change (day, affiliate_id, issuer_id, product_id, step_id, reached, clicks_reached, is_first)
    select change.day, lead.affiliate_id, lead.issuer_id, lead.product_id, added.step_id,
      sum(change.reached), sum(change.clicks_reached), row_number() over () = 1 and not has_total_changes()
    from added
    join lead on lead.id = added.lead_id
    cross join lateral (values
      (mexico_day(added.created_at), 1, 0),
      (mexico_day(lead.created_at), 0, 1)
    ) as change (day, reached, clicks_reached)
    where not exists (
      select from lead_event as earlier
      where earlier.lead_id = added.lead_id and earlier.step_id = added.step_id and earlier.id < added.id
    )
    group by 1, 2, 3, 4, 5;
  return null;
end $$;
create trigger note_reached after insert on lead_event referencing new table as added
  for each statement execute function note_reached();

/*
 * A lead converts once, where the first of its commissions that stand was earned; one that was paid and taken back
 * counts against the day of taking back, once. What changes is the difference between the lead's entries as they were
 * and as they are; only entries that came or were reversed make one.
 */
create function note_entries(was commission_entry[], is_now commission_entry[]) returns void language sql
begin atomic
  with lead_touched as (
    select entry.lead_id
    from unnest(is_now) as entry left join unnest(was) as old on old.id = entry.id
    where old.id is null or (old.state = 'reversed') <> (entry.state = 'reversed')
  ), entry as (
    select 1 as sign, * from commission_entry where lead_id in (select lead_id from lead_touched)
    union all
    select -1, * from commission_entry
    where lead_id in (select lead_id from lead_touched) and id not in (select id from unnest(is_now))
    union all
    select -1, * from unnest(was) where lead_id in (select lead_id from lead_touched)
  ), counted as (
    select distinct on (sign, lead_id, reversal_of is null) *
    from entry where state <> 'reversed'
    order by sign, lead_id, reversal_of is null, id
  ), change as (
    select earned_at, affiliate_id, issuer_id, product_id,
      case when reversal_of is null then sign else -sign end as conversions, '' as state, 0::numeric as amount,
      null::bigint as payment_id, 0 as entries
    from counted
    union all
    select earned_at, affiliate_id, issuer_id, product_id, 0, state, sign * amount,
      payment_id, case when state in ('in_payment', 'paid') then sign else 0 end
    from (select -1 as sign, * from unnest(was) union all select 1, * from unnest(is_now)) as entry
  )
  insert into total_change
      (day, affiliate_id, issuer_id, product_id, conversions, accrued, in_payment, paid, reversed, payment_id, entries,
        is_first)
    select mexico_day(earned_at), affiliate_id, issuer_id, product_id, sum(conversions),
      coalesce(sum(amount) filter (where state = 'accrued'), 0),
      coalesce(sum(amount) filter (where state = 'in_payment'), 0),
      coalesce(sum(amount) filter (where state = 'paid'), 0),
      coalesce(sum(amount) filter (where state = 'reversed'), 0),
      payment_id, sum(entries), row_number() over () = 1 and not has_total_changes()
    from change group by 1, 2, 3, 4, payment_id;
end;

create function note_earned() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note_entries('{}', array(select added::commission_entry from added));
  return null;
end $$;
create trigger note_earned after insert on commission_entry referencing new table as added
  for each statement execute function note_earned();

create function note_settled() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note_entries(
    array(select before::commission_entry from before), array(select after::commission_entry from after));
  return null;
end $$;
create trigger note_settled after update on commission_entry referencing old table as before new table as after
  for each statement execute function note_settled();

/* What a day brought each pair and product, in two rows. */
create view day_total as
  select day, affiliate_id, issuer_id, product_id, count as leads,
    0::bigint as conversions, 0.00 as accrued, 0.00 as in_payment, 0.00 as paid, 0.00 as reversed
  from lead_count
  union all
  select day, affiliate_id, issuer_id, product_id, 0, conversions, accrued, in_payment, paid, reversed
  from earning_total;

-- The same sums over five days, ten days and whole months, for boards that look back. No transaction of a click or an event
-- writes them: keep_spans() sums up what is over, and whoever changes a day after that leaves a day_change.
create table kept_span (
  first_day date not null,
  last_day date not null,
  kept_at timestamptz(3) not null default now(),
  primary key (first_day, last_day)
);
create table span_total (
  first_day date not null,
  last_day date not null,
  affiliate_id bigint not null,
  issuer_id bigint not null,
  product_id bigint not null,
  leads bigint not null,
  conversions bigint not null,
  accrued numeric(16, 2) not null,
  in_payment numeric(16, 2) not null,
  paid numeric(16, 2) not null,
  reversed numeric(16, 2) not null,
  primary key (first_day, last_day, affiliate_id, issuer_id, product_id)
);
-- What was earned on each day of a kept span, by issuer alone.
create table earning_day (
  day date not null,
  issuer_id bigint not null,
  conversions bigint not null,
  accrued numeric(16, 2) not null,
  in_payment numeric(16, 2) not null,
  paid numeric(16, 2) not null,
  reversed numeric(16, 2) not null,
  primary key (day, issuer_id)
);

/* Those whose sums are right: to be asked in the same snapshot as the sums. */
create view fresh_span as
  select first_day, last_day from kept_span
  where not exists (select from day_change where day between first_day and last_day)
    and not exists (
      select from (select distinct day from unfiled_leads()) as late where day between first_day and last_day);

/* A month, its two times ten days and what is left of it, and the halves of those three. */
create function spans_of(month date) returns table (first_day date, last_day date) language sql immutable
begin atomic
  select month + part[1], least(month + part[2], (month + interval '1 month')::date - 1)
  from (values (array[0, 30]), (array[0, 9]), (array[10, 19]), (array[20, 30]), (array[0, 4]), (array[5, 9]),
    (array[10, 14]), (array[15, 19]), (array[20, 24]), (array[25, 30])) as place (part);
end;

/* Those of a month that lack sums, or whose sums are no longer right. Before `open_day`, every change leaves a note. */
create function spans_due(month date, open_day date) returns table (first_day date, last_day date) language sql stable
begin atomic
  select span.* from spans_of(month) as span left join kept_span as kept using (first_day, last_day)
  where case when kept.first_day is null then span.last_day < open_day
    else exists (select from day_change where day between span.first_day and span.last_day) end;
end;

/*
 * Sums up what is due of one month, the newest first; false when nothing was. One statement reads and writes, so the notes
 * that it takes away are just those of changes that it has seen. Nobody waits for it.
 */
create function keep_spans() returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
declare
  -- A transaction takes its beginning for now: what began yesterday may still add to yesterday without a note.
  open_day date := (select mexico_day(min(xact_start) - interval '1 minute') from pg_stat_activity
    where datname = current_database());
  due date;
begin
  perform pg_advisory_xact_lock(hashtextextended('keep_spans', 0));
  select month into due
  from (
    select generate_series(date_trunc('month', min(day)::timestamp), open_day, interval '1 month')::date from lead_count
    union
    select date_trunc('month', day::timestamp)::date from day_change
  ) as known (month)
  where exists (select from spans_due(month, open_day))
  order by month desc limit 1;
  if due is null then
    return false;
  end if;

  with span as materialized (
    select * from spans_due(due, open_day)
  ), heeded as (
    delete from day_change where exists (select from span where day between first_day and last_day)
  ), kept as (
    insert into kept_span select first_day, last_day from span
      on conflict (first_day, last_day) do update set kept_at = now()
  ), by_day as (
    insert into earning_day as kept
      select day, issuer_id, sum(conversions), sum(accrued), sum(in_payment), sum(paid), sum(reversed)
      from earning_total where exists (select from span where day between first_day and last_day)
        and day between due and due + 30
      group by 1, 2
      on conflict (day, issuer_id) do update set
        conversions = excluded.conversions,
        accrued = excluded.accrued,
        in_payment = excluded.in_payment,
        paid = excluded.paid,
        reversed = excluded.reversed
      where (kept.conversions, kept.accrued, kept.in_payment, kept.paid, kept.reversed)
        <> (excluded.conversions, excluded.accrued, excluded.in_payment, excluded.paid, excluded.reversed)
  )
  insert into span_total as kept
    select first_day, last_day, affiliate_id, issuer_id, product_id,
      sum(leads), sum(conversions), sum(accrued), sum(in_payment), sum(paid), sum(reversed)
    from span join day_total on day between first_day and last_day
    group by 1, 2, 3, 4, 5
    on conflict (first_day, last_day, affiliate_id, issuer_id, product_id) do update set
      leads = excluded.leads,
      conversions = excluded.conversions,
      accrued = excluded.accrued,
      in_payment = excluded.in_payment,
      paid = excluded.paid,
      reversed = excluded.reversed
    where (kept.leads, kept.conversions, kept.accrued, kept.in_payment, kept.paid, kept.reversed)
      <> (excluded.leads, excluded.conversions, excluded.accrued, excluded.in_payment, excluded.paid, excluded.reversed);
  return true;
end $$;

/* What step_total and earning_total have to hold, from the events and entries themselves. */
create view step_recount as
  select change.day, lead.affiliate_id, lead.issuer_id, lead.product_id, first.step_id,
    sum(change.reached) as reached, sum(change.clicks_reached) as clicks_reached
  from (
    select distinct on (lead_id, step_id) lead_id, step_id, created_at
    from lead_event order by lead_id, step_id, id
  ) as first
  join lead on lead.id = first.lead_id
  cross join lateral (values (mexico_day(first.created_at), 1, 0), (mexico_day(lead.created_at), 0, 1))
    as change (day, reached, clicks_reached)
  group by 1, 2, 3, 4, 5;
create view earning_recount as
  select day, affiliate_id, issuer_id, product_id, sum(conversions) as conversions,
    sum(accrued) as accrued, sum(in_payment) as in_payment, sum(paid) as paid, sum(reversed) as reversed
  from (
    select mexico_day(earned_at) as day, affiliate_id, issuer_id, product_id, 0 as conversions,
      case state when 'accrued' then amount else 0 end as accrued,
      case state when 'in_payment' then amount else 0 end as in_payment,
      case state when 'paid' then amount else 0 end as paid,
      case state when 'reversed' then amount else 0 end as reversed
    from commission_entry
    union all
    select mexico_day(earned_at), affiliate_id, issuer_id, product_id,
      case when reversal_of is null then 1 else -1 end, 0, 0, 0, 0
    from (
      select distinct on (lead_id, reversal_of is null) * from commission_entry
      where state <> 'reversed' order by lead_id, reversal_of is null, id
    ) as counted
  ) as part
  group by 1, 2, 3, 4
  having (sum(conversions), sum(accrued), sum(in_payment), sum(paid), sum(reversed)) <> (0, 0, 0, 0, 0);

/* Everything counted anew beside what is kept: no row means that both agree. Walks through all leads. */
create function total_drift() returns table (
  source text, day date, affiliate_id bigint, issuer_id bigint, product_id bigint, step_id bigint, figures jsonb
) language sql stable
begin atomic
  with recount as (
    select mexico_day(created_at) as day, affiliate_id, issuer_id, product_id, null::bigint as step_id,
      jsonb_build_object('leads', count(*)) as figures
    from lead group by 1, 2, 3, 4
    union all
    select mexico_day(created_at), affiliate_id, issuer_id, product_id, null, jsonb_build_object('own_leads', count(*))
    from lead group by 1, grouping sets ((), affiliate_id, issuer_id, product_id)
    union all
    select null, lead.affiliate_id, lead.issuer_id, lead.product_id, null, jsonb_build_object(
      'way', (fold(utm_source), fold(utm_medium), fold(utm_campaign), fold(utm_term), fold(utm_content))::text,
      'text_id', text_of(utm_source, utm_medium, utm_campaign, utm_term, utm_content),
      'way_leads', count(*), 'external_ids', sum(hashtext(external_id)))
    from lead cross join lead_filing where lead.id <= filed_id
    group by origin_of(affiliate_id, issuer_id, product_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content),
      2, 3, 4, utm_source, utm_medium, utm_campaign, utm_term, utm_content
    union all
    select null, null, null, product_id, null,
      jsonb_build_object('external_id', external_id, 'way_id', origin_id, 'common_leads', count(*))
    from lead_search join common_external_id using (external_id) group by external_id, product_id, origin_id
    union all
    select null, null, found.issuer_id, null, null,
      jsonb_build_object('external_id', external_id, 'text_id', text_id, 'common_leads', count(*))
    from lead_search as found join common_external_id using (external_id)
    join lead_origin on lead_origin.id = origin_id group by external_id, 3, text_id
    union all
    select day, affiliate_id, issuer_id, product_id, step_id,
      jsonb_build_object('reached', reached, 'clicks_reached', clicks_reached)
    from step_recount
    union all
    select day, affiliate_id, issuer_id, product_id, null, jsonb_build_object('conversions', conversions,
      'accrued', accrued, 'in_payment', in_payment, 'paid', paid, 'reversed', reversed)
    from earning_recount
    union all
    select null, null, null, null, null, jsonb_build_object('payment', payment_id, 'held', count(*), 'amount', sum(amount))
    from commission_entry where state in ('in_payment', 'paid') group by payment_id
    union all
    -- An entry that its payment may not hold.
    select mexico_day(earned_at), entry.affiliate_id, entry.issuer_id, product_id, null,
      jsonb_build_object('payment', payment_id, 'entry', entry.id)
    from commission_entry as entry join payment on payment.id = payment_id
    where entry.state in ('in_payment', 'paid') and (mexico_day(earned_at) not between period_start and period_end
      or (entry.affiliate_id, entry.issuer_id) <> (payment.affiliate_id, payment.issuer_id))
    union all
    select first_day, affiliate_id, issuer_id, product_id, null, jsonb_build_object('last_day', last_day,
      'span_leads', sum(leads), 'span_conversions', sum(conversions), 'accrued', sum(accrued),
      'in_payment', sum(in_payment), 'paid', sum(paid), 'reversed', sum(reversed))
    from fresh_span join day_total on day between first_day and last_day
    group by 1, last_day, 2, 3, 4
    having (sum(leads), sum(conversions), sum(accrued), sum(in_payment), sum(paid), sum(reversed)) <> (0, 0, 0, 0, 0, 0)
    union all
    select day, null, issuer_id, null, null, jsonb_build_object('issuer_conversions', sum(conversions),
      'accrued', sum(accrued), 'in_payment', sum(in_payment), 'paid', sum(paid), 'reversed', sum(reversed))
    from earning_total
    where exists (select from fresh_span where day between first_day and last_day)
    group by 1, 3
    having (sum(conversions), sum(accrued), sum(in_payment), sum(paid), sum(reversed)) <> (0, 0, 0, 0, 0)
  ), kept as (
    select day, affiliate_id, issuer_id, product_id, null::bigint as step_id,
      jsonb_build_object('leads', sum(count)) as figures
    from lead_count group by 1, 2, 3, 4
    union all
    select day, max(party_id) filter (where party = 'affiliate_id'), max(party_id) filter (where party = 'issuer_id'),
      max(party_id) filter (where party = 'product_id'), null, jsonb_build_object('own_leads', sum(count))
    from lead_day group by party, party_id, day
    union all
    select null, affiliate_id, issuer_id, product_id, null, jsonb_build_object(
      'way', (utm_source, utm_medium, utm_campaign, utm_term, utm_content)::text,
      'text_id', text_id, 'way_leads', count, 'external_ids', (select sum(hashtext(external_id)) from lead_search where origin_id = way.id))
    from lead_origin as way
    union all
    select null, null, null, product_id, null,
      jsonb_build_object('external_id', external_id, 'way_id', origin_id, 'common_leads', count)
    from common_count
    union all
    select null, null, issuer_id, null, null,
      jsonb_build_object('external_id', external_id, 'text_id', text_id, 'common_leads', count)
    from common_text_count
    union all
    select day, affiliate_id, issuer_id, product_id, step_id,
      jsonb_build_object('reached', reached, 'clicks_reached', clicks_reached)
    from step_total where (reached, clicks_reached) <> (0, 0)
    union all
    select day, affiliate_id, issuer_id, product_id, null, jsonb_build_object(
      'conversions', conversions, 'accrued', accrued, 'in_payment', in_payment, 'paid', paid, 'reversed', reversed)
    from earning_total where (conversions, accrued, in_payment, paid, reversed) <> (0, 0, 0, 0, 0)
    union all
    select null, null, null, null, null, jsonb_build_object('payment', payment_id, 'held', entries, 'amount', amount)
    from held_total where (entries, amount) <> (0, 0)
    union all
    select first_day, affiliate_id, issuer_id, product_id, null, jsonb_build_object('last_day', last_day,
      'span_leads', leads, 'span_conversions', conversions, 'accrued', accrued,
      'in_payment', in_payment, 'paid', paid, 'reversed', reversed)
    from fresh_span join span_total using (first_day, last_day)
    where (leads, conversions, accrued, in_payment, paid, reversed) <> (0, 0, 0, 0, 0, 0)
    union all
    select day, null, issuer_id, null, null, jsonb_build_object('issuer_conversions', conversions,
      'accrued', accrued, 'in_payment', in_payment, 'paid', paid, 'reversed', reversed)
    from earning_day
    where exists (select from fresh_span where day between first_day and last_day)
      and (conversions, accrued, in_payment, paid, reversed) <> (0, 0, 0, 0, 0)
  )
  select 'kept', * from (select * from kept except select * from recount) as only_kept
  union all
  select 'recount', * from (select * from recount except select * from kept) as only_recount;
end;

-- Events that came with a good key and could not be stored; kept 90 days so that they can be sent again.
create table rejected_postback (
  id bigint generated always as identity primary key,
  issuer_id bigint not null references issuer,
  code text not null,
  message text not null,
  tracking_id text,
  source text not null,
  body jsonb not null,
  created_at timestamptz(3) not null default now()
);
create index rejected_postback_index on rejected_postback (issuer_id, id);

-- What came with a good key and became no event, for the issuer's engineer to see: repetitions, refusals and tests.
-- The last hundred of each issuer; without the body, since whatever was refused may hold anything.
create table event_receipt (
  id bigint generated always as identity primary key,
  issuer_id bigint not null references issuer,
  verdict text not null check (verdict in ('accepted', 'duplicate', 'rejected')),
  is_test boolean not null,
  code text not null,
  message text,
  tracking_id text,
  event_id text,
  step text,
  source text not null,
  created_at timestamptz(3) not null default now(),
  check (is_test or verdict <> 'accepted')
);
create index event_receipt_index on event_receipt (issuer_id, id);

-- By the pair that the link had then: one that moves to another pair leaves its figures behind.
create table preview_count (
  day date not null,
  affiliate_id bigint not null,
  issuer_id bigint not null,
  product_id bigint not null,
  reason text not null,
  count bigint not null,
  primary key (day, affiliate_id, issuer_id, product_id, reason)
);

create table dashboard (
  id bigint generated always as identity primary key,
  name text not null,
  description text not null default '',
  iframe_url text not null,
  role text not null check (role in ('admin', 'issuer', 'affiliate')),
  affiliate_id bigint references affiliate,
  issuer_id bigint references issuer,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3),
  -- An owner belongs to the role; without one, everybody of the role sees it.
  check (affiliate_id is null or role = 'affiliate'),
  check (issuer_id is null or role = 'issuer')
);

-- Those that ship with the product: its own pages, drawn from what is in these tables (D61).
insert into dashboard (role, name, description, iframe_url)
  select role, name, description, iframe_url
  from (values
    (1, 'Red', 'Toda la red en un vistazo: leads, conversiones y comisiones por emisor, afiliado y producto.', '/embed/red'),
    (2, 'Rendimiento', 'Leads, conversiones y comisiones por día, comparados con el periodo anterior.', '/embed/rendimiento'),
    (3, 'Embudo', 'Hasta dónde llegan los leads de un producto, en qué paso se pierden y cuántos se aprueban.', '/embed/embudo'),
    (4, 'Comisiones', 'Comisiones devengadas, en pago, pagadas y revertidas, por producto y por socio.', '/embed/comisiones')
  ) as board (place, name, description, iframe_url)
  cross join (values (1, 'admin'), (2, 'issuer'), (3, 'affiliate')) as reader (rank, role)
  where role = 'admin' or iframe_url <> '/embed/red'
  order by rank, place;

create table audit_entry (
  id bigint generated always as identity primary key,
  created_at timestamptz(3) not null default now(),
  actor_id bigint,
  actor_name text not null default '',
  actor_role text not null,
  action text not null,
  entity text not null,
  entity_id bigint,
  label text not null default '',
  -- {field: [before, after]}, secrets left out.
  changes jsonb not null default '{}',
  request_id text not null default '',
  address text not null default ''
);
create index audit_entry_entity_index on audit_entry (entity, entity_id, id);
create index audit_entry_actor_index on audit_entry (actor_id, id);
create index audit_entry_created_index on audit_entry (created_at, id);

-- Answers of administrators' POSTs that carried an Idempotency-Key, for 24 hours (D27).
create table idempotency (
  user_id bigint not null references "user",
  key text not null,
  endpoint text not null,
  fingerprint bytea not null,
  status integer,
  body text,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, key)
);

do $$
declare t text;
begin
  foreach t in array array['affiliate', 'issuer', 'relationship', 'product', 'event_step', 'commission', 'payment', 'commission_entry', 'dashboard'] loop
    execute format('create trigger touch before update on %I for each row execute function touch_updated_at()', t);
  end loop;
  foreach t in array array['affiliate', 'issuer', 'relationship', 'product'] loop
    execute format('create trigger link_change after insert or update or delete on %I for each statement execute function notify_link_change()', t);
  end loop;
  foreach t in array array['affiliate', 'issuer'] loop
    execute format('create trigger viewer_change after update or delete on %I for each statement execute function notify_viewer_change()', t);
  end loop;
end $$;
/* A sign-in writes last_login alone: neither an edit of the user nor a reason to forget who everybody is. */
create trigger touch before update of email, first_name, last_name, password_hash, role, affiliate_id, issuer_id, user_status, archived_at
  on "user" for each row execute function touch_updated_at();
create trigger viewer_change after update of email, first_name, last_name, role, affiliate_id, issuer_id, user_status, archived_at
  on "user" for each statement execute function notify_viewer_change();
/* Only a revocation matters to who caches a viewer; every refresh also updates a session. */
create trigger viewer_change after update of revoked_at on session
  for each statement execute function notify_viewer_change();

-- The server runs as this role: no DDL, and no DELETE where history lives (decisions 3).
do $$ begin
  if not exists (select from pg_roles where rolname = 'afluente_app') then create role afluente_app nologin; end if;
end $$;
grant afluente_app to current_user;
grant usage on schema public to afluente_app;
grant select, insert, update on affiliate, issuer, "user", session, throttle, api_key, relationship, product, event_step,
  commission, payment, commission_entry, preview_count, dashboard, idempotency, rejected_postback to afluente_app;
grant delete on throttle, session, idempotency, rejected_postback to afluente_app;
grant select, insert, update, delete on spool_notice to afluente_app;
grant select, insert, delete on event_receipt to afluente_app;
grant select on event_type to afluente_app;
grant select, insert on lead, lead_event, audit_entry to afluente_app;
-- Written by their functions and triggers alone.
grant select on lead_origin, lead_search, common_external_id, common_count, common_text_count, lead_filing, filed_day,
  lead_count, lead_day, step_total, earning_total, held_total, day_total, fresh_span, span_total, earning_day, step_recount,
  earning_recount to afluente_app;
-- A lead's personal data can be corrected or erased on request (mexico 4.6); its ids, its time and its money cannot.
grant update (external_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content, lead_data) on lead to afluente_app;
grant update (event_data) on lead_event to afluente_app;

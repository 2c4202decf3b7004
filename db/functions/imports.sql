-- What the rows of a file mean, and what would come of them. Called by server/imports/work.ts, some rows at a time.

/* A tracking id in any spelling; null for what is none. */
create or replace function tracking_id_in(said text) returns uuid language sql immutable
begin atomic
  select case when digits ~ '^[0-9a-f]{32}$' then digits::uuid end
  from (select regexp_replace(lower(said), '^urn:uuid:|[-{}]', '', 'g') as digits) as plain;
end;

/*
 * An amount as people and systems write it: '$1,234.50', '1234.5 MXN'; null for what is none, and for '1.500', which some
 * write for a thousand and a half.
 */
create or replace function amount_in(said text) returns numeric language sql immutable
begin atomic
  select case when plain ~ '^-?([0-9]{1,3}(,[0-9]{3}){1,3}|[0-9]{1,12})([.][0-9]+)?$'
    and plain !~ '^-?[1-9][0-9]{0,2}[.][0-9]{3}$' then round(replace(plain, ',', '')::numeric, 2) end
  from (select regexp_replace(upper(said), '[\s\u00a0$]|MXN|M[.]?N[.]?', '', 'g') as plain) as bare;
end;

/*
 * A day as its format says (DateFormat of the contract), with an hour behind it or none; null for what is none. One that
 * begins with its year is understood under each. In steps: a pattern for the whole takes ten times as long.
 */
create or replace function day_in(said text, format text) returns date language plpgsql immutable as $$
declare
  parts text[];
  year int;
  month int;
  day int;
begin
  if format = 'serial' and said ~ '^[0-9]{5}([.,][0-9]+)?$' then
    day := left(said, 5);
    return case when day between 36526 and 73415 then date '1899-12-30' + day end;
  end if;
  parts := string_to_array(split_part(translate(said, '-.T,', '//  '), ' ', 1), '/');
  if cardinality(parts) <> 3 then return null; end if;
  if parts[1] ~ '^[0-9]{4}$' then parts := array[parts[3], parts[2], parts[1]];
  elsif format = 'mdy' then parts := array[parts[2], parts[1], parts[3]];
  elsif format <> 'dmy' then return null;
  end if;
  if not (parts[1] ~ '^[0-9]{1,2}$' and parts[2] ~ '^[0-9]{1,2}$' and parts[3] ~ '^[0-9]{4}$') then return null; end if;
  day := parts[1];
  month := parts[2];
  year := parts[3];
  if year not between 2000 and 2100 or month not between 1 and 12 or day < 1
    or day > extract(day from make_date(year, month, 1) + interval '1 month -1 day') then return null; end if;
  return make_date(year, month, day);
end $$;

/* The leads of an issuer that texts name, and how many each text names. */
create or replace function named_leads(kind text, of_issuer bigint, of_product bigint, texts text[])
  returns table (said text, id bigint, tracking_id uuid, product_id bigint, count bigint) language plpgsql stable
  set enable_nestloop = on as $$
#variable_conflict use_column
declare
  -- As an array: a join would open every partition.
  tracking_ids uuid[];
  ids text[];
begin
  case kind
  when 'tracking_id' then
    tracking_ids := array(select tracking_id_in(one) from unnest(texts) as one);
    return query
      select one, lead.id, lead.tracking_id, lead.product_id, 1::bigint
      from (select * from lead where tracking_id = any(tracking_ids) and issuer_id = of_issuer) as lead
      join unnest(texts) as one on tracking_id_in(one) = lead.tracking_id;
  when 'event_id' then
    -- Their number is known of arrays: joined as they are found, one row would be expected, and all compared with all.
    select array_agg(substr(idempotency_key, 3)), array_agg(event.tracking_id) into ids, tracking_ids
      from events_under(of_issuer, array(select 'i:' || one from unnest(texts) as one)) as event;
    return query
      select one, lead.id, lead.tracking_id, lead.product_id, 1::bigint
      from unnest(ids, tracking_ids) as known (one, tracking_id)
      join (select * from lead where tracking_id = any(tracking_ids)) as lead on lead.tracking_id = known.tracking_id;
  when 'external_id' then
    return query
      select external_id, min(lead.id), min(lead.tracking_id::text)::uuid, of_product, count(*) from lead
      where issuer_id = of_issuer and external_id = any(texts) and external_id <> '' and product_id = of_product
      group by external_id;
  end case;
end $$;

/*
 * Which lead and step the rows after one through another mean, as the mapping of their import says. Without nested loops: of
 * a file that came since the table was analyzed the planner expects one row, and would compare each with every other.
 */
create or replace function match_import_rows(of_import bigint, after_row int, through_row int)
  returns void language plpgsql set enable_nestloop = off as $$
declare
  file import;
  texts text[];
begin
  select * into file from import where id = of_import;
  texts := array(
    select distinct cells ->> (file.mapping -> 'key_column')::int from import_row
    where import_id = of_import and row_no > after_row and row_no <= through_row
  );
  update import_row as one set
    lead_id = told.lead_id, tracking_id = told.tracking_id, step_id = told.step_id, reason_code = told.reason_code,
    outcome = told.outcome, expected = 0, charge = 0, remarks = null, known_amount = null, known_on = null
  from (
    with said as (
      select row_no, cells ->> (file.mapping -> 'key_column')::int as key, coalesce(action, 'ignore') as action,
        case action when 'reject' then (select id from event_type where name = 'rechazado') else event_type_id end
          as event_type_id,
        case action when 'reject' then coalesce(code, 'sin_motivo') end as reason_code
      from import_row
      left join jsonb_to_recordset(file.mapping -> 'values') as target (value text, action text, event_type_id bigint)
        on target.value = cells ->> (file.mapping -> 'status_column')::int
      left join jsonb_to_recordset(file.mapping -> 'reasons') as reason (value text, code text)
        on reason.value = cells ->> nullif(file.mapping -> 'reason_column', 'null')::int
      where import_id = of_import and row_no > after_row and row_no <= through_row
    ), named as (
      select * from named_leads(file.mapping ->> 'key', file.issuer_id, (nullif(file.mapping -> 'product_id', 'null'))::bigint, texts)
    )
    select row_no,
      -- Of a row that is ignored, too: the lead's person may ask what is said of them.
      case when count = 1 then named.id end as lead_id,
      case when count = 1 then named.tracking_id end as tracking_id,
      case when action <> 'ignore' and count = 1 then step.id end as step_id,
      reason_code,
      case
        when action = 'ignore' then 'ignored'
        when key = '' or (file.mapping ->> 'key' = 'tracking_id' and tracking_id_in(key) is null) then 'invalid'
        when named.said is null then 'not_found'
        when count > 1 then 'conflict'
        when step.id is null then 'no_step'
      end as outcome
    from said
    left join named on named.said = said.key
    left join lateral (
      -- The first one, where a product has several.
      select id from event_step
      where event_step.product_id = named.product_id and event_step.event_type_id = said.event_type_id and archived_at is null
      order by step_order limit 1
    ) as step on true
  ) as told
  where one.import_id = of_import and one.row_no > after_row and one.row_no <= through_row and one.row_no = told.row_no;
end $$;

/*
 * What would come of rows whose lead and step are known, and the pesos that it adds to the ledger or takes from it, as
 * store_events() and settle_leads() would have it; what of that was paid and is charged; and what the step pays the lead's
 * affiliate, or has paid it with what compensates that, if it pays. All rows of the file must be matched before; of those
 * judged before, only the ones that were to change something are judged again.
 */
create or replace function judge_import_rows(of_import bigint, after_row int, through_row int)
  returns table (row_no int, outcome text, expected numeric, charge numeric, pays numeric) language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  select one.row_no, verdict.outcome,
    case
      when verdict.outcome in ('reject', 'reject_paid') then -ledger.standing
      when verdict.outcome = 'restore' then ledger.fallen + earned.amount
      when verdict.outcome in ('approve', 'record') then ledger.void + earned.amount
      else 0
    end,
    case verdict.outcome when 'reject_paid' then ledger.paid else 0 end,
    case when what.pays then case when known.id is null then earned.amount else ledger.told end end
  from (
    -- Each call reads every row of their leads once, by an array: a file may name one lead in all its rows, and while it is
    -- applied there may be any number of rows that change nothing between two that do.
    select row_no, lead_id, tracking_id, step_id, outcome,
      min(step_id) over of_lead < max(step_id) over of_lead as disagrees, min(row_no) over of_lead < row_no as repeats
    from import_row
    where import_id = of_import and step_id is not null and lead_id = any(array(
      select distinct lead_id from import_row
      where import_id = of_import and row_no > after_row and row_no <= through_row and lead_id is not null
        and (outcome is null or outcome in ('approve', 'record', 'reject', 'reject_paid', 'restore'))
    ))
    window of_lead as (partition by lead_id)
  ) as one
  join import as file on file.id = of_import
  join event_step as step on step.id = one.step_id
  join event_type as type on type.id = step.event_type_id
  cross join lateral (
    select exists (select from rejection_of(one.lead_id)) as is_rejected, exists (
      select from lead_event
      where lead_event.lead_id = one.lead_id and lead_event.step_id = one.step_id and not is_voided
    ) as is_told
  ) as now
  cross join lateral (
    select type.name in ('aprobado', 'entregado') or step.is_payout_event as approves,
      step.is_payout_event and type.name <> 'rechazado' as pays
  ) as what
  left join lateral (
    select * from earned_by(one.lead_id, one.step_id) where what.pays
  ) as known on true
  cross join lateral (
    select coalesce(sum(worth) filter (where stands), 0) as standing,
      coalesce(sum(worth) filter (where stands and is_paid), 0) as paid,
      coalesce(sum(worth) filter (where of_step = known.step_id), 0) as told,
      coalesce(sum(worth) filter (where not stands and (of_step = one.step_id or not is_step_void(one.lead_id, of_step))), 0)
        as fallen,
      coalesce(sum(worth) filter (where not stands and of_step = one.step_id), 0) as void,
      coalesce(bool_or(stands and is_paid), false) as is_paid
    from (
      -- A charge that was lifted counts again: what it answers was paid.
      select of_step, state = 'paid' or kind = 'reversal' as is_paid,
        case kind when 'reversal' then -amount else amount end as worth, (kind = 'reversal') = (state = 'reversed') as stands
      from chains_of(one.lead_id) as chain join commission_entry as last on last.id = chain.id
      where not last.is_voided
    ) as chain
  ) as ledger
  cross join lateral (
    select case when not what.pays or known.id is not null then 0 else coalesce((
      -- The lead beside it: PostgreSQL does not inline a function with a query among its arguments, and calls it for each row.
      select rate.amount from (select affiliate_id from lead where lead.tracking_id = one.tracking_id) as own
      cross join lateral earning_rate(step.product_id, own.affiliate_id, step.id, moment_of(one.tracking_id)) as rate
    ), 0) end as amount
    offset 0 -- looked up once, though it is named twice
  ) as earned
  cross join lateral (
    select case
      -- Archived since its row was matched: nothing can be stored by it any more.
      when step.archived_at is not null then 'no_step'
      when one.disagrees then 'conflict'
      when one.repeats then 'repeated'
      when type.name = 'rechazado' then
        case when now.is_rejected then 'unchanged' when ledger.is_paid then 'reject_paid' else 'reject' end
      when now.is_rejected then
        case when what.approves and (file.mapping -> 'restores')::boolean then 'restore' else 'stays_rejected' end
      when now.is_told then 'unchanged'
      when what.approves then 'approve'
      else 'record'
    end as outcome
  ) as verdict
  where one.row_no > after_row and one.row_no <= through_row
    and (one.outcome is null or one.outcome in ('approve', 'record', 'reject', 'reject_paid', 'restore'));
end $$;

/*
 * Rows that were judged and say another amount than what their step pays; a day before the click, or another one than that
 * of the event that exists. It decides nothing.
 */
create or replace function compare_import_rows(of_import bigint, after_row int, through_row int)
  returns table (row_no int, remarks text[], known_on date) language plpgsql stable as $$
#variable_conflict use_column
declare
  amount_at int;
  date_at int;
  format text;
begin
  select nullif(mapping -> 'amount_column', 'null')::int, nullif(mapping -> 'date_column', 'null')::int,
    mapping ->> 'date_format' into amount_at, date_at, format
  from import where id = of_import;
  if amount_at is null and date_at is null then return; end if;
  return query
  select one.row_no, array_remove(array[found.amount, found.day], null),
    case found.day when 'before_click' then one.clicked_on when 'other_date' then told.day end
  from (
    select row_no, lead_id, step_id, said_amount, said_day, known_amount, amount_in(said_amount) as amount,
      day_in(said_day, format) as day, mexico_day(moment_of(tracking_id)) as clicked_on
    from import_row
    cross join lateral (
      select nullif(cells ->> amount_at, '') as said_amount, nullif(cells ->> date_at, '') as said_day
    ) as said
    where import_id = of_import and row_no > after_row and row_no <= through_row and lead_id is not null and step_id is not null
    offset 0 -- read once, however often they are named
  ) as one
  left join lateral (
    select min(mexico_day(coalesce(occurred_at, created_at))) as day,
      bool_or(one.day in (mexico_day(coalesce(occurred_at, created_at)), mexico_day(created_at))) as is_said
    from lead_event
    where one.day >= one.clicked_on and lead_event.lead_id = one.lead_id and lead_event.step_id = one.step_id and not is_voided
  ) as told on true
  cross join lateral (
    select
      case when said_amount is null or known_amount is null then null when one.amount is null then 'unreadable_amount'
        when one.amount <> known_amount then 'other_amount' end as amount,
      case when said_day is null then null when one.day is null then 'unreadable_date'
        when one.day < one.clicked_on then 'before_click' when not told.is_said then 'other_date' end as day
  ) as found
  where found.amount is not null or found.day is not null;
end $$;

/* Deletes rows of a file that was discarded; returns how many. Nothing else may go, so the server has no right to. */
create or replace function delete_import_rows(of_import bigint, at_most int) returns int language sql security definer
  set search_path = public, pg_temp as $$
  with gone as (
    delete from import_row where import_id = of_import and row_no in (
      select row_no from import_row where import_id = of_import order by row_no limit at_most)
      and exists (select from import where id = of_import and status = 'discarded')
    returning 1
  ) select count(*)::int from gone
$$;

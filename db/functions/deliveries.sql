-- From what happened to who is told of it, and who is told next (docs/decisions/0014-what-goes-out.md).

/* The transactions that may still commit occurrences: a writer holds the table's lock before it takes an id. */
create or replace function occurrence_writers() returns text[] language sql volatile
  return array(
    select virtualtransaction from pg_locks
    where locktype = 'relation' and relation = 'occurrence'::regclass and mode = 'RowExclusiveLock'
      and database = (select oid from pg_database where datname = current_database()) and pid <> pg_backend_pid()
  );

/* The receivers in use: none of a company that ended. */
create or replace function live_receivers() returns setof receiver language sql stable
begin atomic
  select receiver.* from receiver
  left join affiliate on affiliate.id = affiliate_id
  left join issuer on issuer.id = issuer_id
  where receiver.archived_at is null and affiliate.archived_at is null and issuer.archived_at is null;
end;

/* Makes the deliveries of occurrences from one id to another; repeated calls make none twice. */
create or replace function make_deliveries(after_id bigint, through_id bigint) returns void language sql volatile
begin atomic
  with mine as (
    select id, type, affiliate_id, issuer_id, product_id, tracking_id, event_id, entry_id, created_at
    from occurrence where id > after_id and id <= through_id
  ), wanted as (
    select receiver.id as receiver_id, mine.*, receiver.types, receiver.product_id as only_product,
      receiver.event_types, receiver.created_at as since
    from mine join live_receivers() as receiver on receiver.affiliate_id = mine.affiliate_id
    union all
    select receiver.id, mine.*, receiver.types, receiver.product_id, receiver.event_types, receiver.created_at
    from mine join live_receivers() as receiver on receiver.issuer_id = mine.issuer_id
    union all
    select receiver.id, mine.*, receiver.types, receiver.product_id, receiver.event_types, receiver.created_at
    from mine join live_receivers() as receiver on num_nonnulls(receiver.affiliate_id, receiver.issuer_id) = 0
  )
  insert into delivery (receiver_id, occurrence_id, type, tracking_id)
  select receiver_id, wanted.id, case when type = any(types) then type else 'commission.accrued' end, wanted.tracking_id
  from wanted
  where (type = any(types) or type = 'lead.event' and entry_id is not null and 'commission.accrued' = any(types))
    and wanted.created_at >= since
    and (only_product is null or product_id = only_product)
    and (event_types is null or type <> 'lead.event'
      or exists (select from lead_event where lead_event.id = wanted.event_id and event_type_id = any(wanted.event_types)))
  order by wanted.id
  on conflict on constraint delivery_once_key do nothing;
end;

/*
 * Makes the deliveries and notices (notices.sql) of what happened since the last call, of `at_most` ids; returns how many
 * ids it went through. One caller at a time. What a writer may still commit waits for a next call.
 */
create or replace function fan_out(at_most int) returns bigint language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  position fan_out_position;
  given bigint;
  upto bigint;
begin
  select * into position from fan_out_position for update skip locked;
  if not found then return 0; end if;
  if position.seen_id = position.through_id then
    select last_value - (not is_called)::int into given from occurrence_id_seq;
    if given <= position.through_id then return 0; end if;
    -- In this order: who has taken an id up to `given` and has not ended is among the writers.
    position.seen_id := given;
    position.writers := occurrence_writers();
  end if;
  upto := position.through_id;
  if position.writers = '{}' or not position.writers && occurrence_writers() then
    upto := least(position.seen_id, position.through_id + at_most);
    position.writers := '{}';
    perform make_deliveries(position.through_id, upto);
    perform make_notices(position.through_id, upto);
  end if;
  update fan_out_position set through_id = upto, seen_id = position.seen_id, writers = position.writers;
  return upto - position.through_id;
end $$;

/*
 * Claims deliveries that are due, `at_most` of them, for `lease`; returns their ids. With `is_failing` those of receivers
 * that did not answer well the last time. `under_way` names the receiver of each call that the caller has under way: one that is
 * failing, or has never answered well, gets one call at a time, any other a fifth of a second's at most, and two at least.
 * Of a lead only the earliest that waits is claimed.
 */
create or replace function claim_deliveries(at_most int, is_failing boolean, under_way bigint[], lease interval)
  returns setof uuid language plpgsql as $$
declare
  one record;
  claimed uuid[];
  left_over int := at_most;
begin
  -- Without a limit: of some nothing can be claimed, and those after them must not wait for that.
  for one in
    select receiver.id, state, per_second, room from receiver
    left join (select id, count(*) as calls from unnest(under_way) as id group by id) as busy using (id)
    cross join lateral (select case when is_failing or last_ok_at is null then 1 else greatest(2, per_second / 5) end
      - coalesce(calls, 0) as room) as rooms
    where id in (select id from live_receivers()) and state <> 'paused' and (failures > 0) = is_failing
      and rest_until <= now() and room > 0
      and exists (select from delivery where receiver_id = receiver.id and delivery.state = 'waiting' and next_at <= now()
        and (claimed_until is null or claimed_until <= now()))
    order by rest_until, id for update of receiver skip locked
  loop
    exit when left_over <= 0;
    with due as (
      select id from delivery
      where receiver_id = one.id and state = 'waiting' and next_at <= now()
        and (claimed_until is null or claimed_until <= now())
        and not exists (select from delivery as earlier where earlier.receiver_id = one.id
          and earlier.tracking_id = delivery.tracking_id and earlier.state = 'waiting' and earlier.seq < delivery.seq)
      order by next_at, seq limit least(left_over, one.room)
      for update skip locked
    ), taken as (
      update delivery set claimed_until = now() + lease from due where delivery.id = due.id returning delivery.id
    )
    select array_agg(id) into claimed from taken;
    continue when claimed is null;
    left_over := left_over - cardinality(claimed);
    -- For other copies: one that is failing rests until this attempt is settled.
    update receiver set rest_until = now() + case when one.state = 'failing' then lease
      else cardinality(claimed) * interval '1 second' / one.per_second end where id = one.id;
    return query select unnest(claimed);
  end loop;
end $$;

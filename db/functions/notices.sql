-- From what happened to the persons it concerns, and what they want to hear of it.

/*
 * What each role can be told of, and how it is mailed unless the person chose otherwise. What is fixed cannot be switched
 * off; what is about keys, receivers or the access of others concerns those who may read keys.
 */
create or replace function notice_kinds()
  returns table (type text, role text, mail text, is_fixed boolean, is_about_keys boolean) language sql immutable
begin atomic
  select type, role, mail, is_fixed, is_about_keys from (values
    ('commission.accrued', 'affiliate', 'daily', false, false),
    ('lead.rejected', 'affiliate', 'daily', false, false),
    ('commission.reversed', 'affiliate', 'daily', false, false),
    ('payment.created', 'affiliate', 'now', false, false),
    ('payment.created', 'issuer', 'now', false, false),
    ('payment.paid', 'affiliate', 'now', false, false),
    ('payment.paid', 'issuer', 'now', false, false),
    ('payment.cancelled', 'affiliate', 'now', false, false),
    ('payment.cancelled', 'issuer', 'now', false, false),
    ('hold.opened', 'affiliate', 'now', false, false),
    ('hold.opened', 'admin', 'now', false, false),
    ('hold.released', 'affiliate', 'now', false, false),
    ('hold.released', 'admin', 'now', false, false),
    ('commission.changed', 'affiliate', 'now', false, false),
    ('term.changed', 'affiliate', 'now', false, false),
    ('product.paused', 'affiliate', 'now', false, false),
    ('product.resumed', 'affiliate', 'now', false, false),
    ('relationship.ended', 'affiliate', 'now', false, false),
    ('relationship.started', 'affiliate', 'now', false, false),
    ('link.faulty', 'affiliate', 'daily', false, false),
    ('receiver.failing', 'affiliate', 'daily', false, true),
    ('receiver.failing', 'issuer', 'daily', false, true),
    ('receiver.failing', 'admin', 'daily', false, true),
    ('receiver.paused', 'affiliate', 'now', true, true),
    ('receiver.paused', 'issuer', 'now', true, true),
    ('receiver.paused', 'admin', 'now', true, true),
    ('receiver.changed', 'affiliate', 'now', true, true),
    ('receiver.changed', 'issuer', 'now', true, true),
    ('receiver.changed', 'admin', 'now', true, true),
    ('key.shown', 'affiliate', 'off', false, true),
    ('key.shown', 'issuer', 'off', false, true),
    ('key.shown', 'admin', 'off', false, true),
    ('key.rotated', 'affiliate', 'now', true, true),
    ('key.rotated', 'issuer', 'now', true, true),
    ('key.rotated', 'admin', 'now', true, true),
    ('access.asked', 'admin', 'off', false, true),
    ('issuer.silent', 'issuer', 'daily', false, false),
    ('issuer.silent', 'admin', 'daily', false, false),
    ('events.refused', 'issuer', 'now', false, false),
    ('device.new', 'affiliate', 'now', true, false),
    ('device.new', 'issuer', 'now', true, false),
    ('device.new', 'admin', 'now', true, false),
    ('factor.added', 'affiliate', 'now', true, false),
    ('factor.added', 'issuer', 'now', true, false),
    ('factor.added', 'admin', 'now', true, false),
    ('factor.removed', 'affiliate', 'now', true, false),
    ('factor.removed', 'issuer', 'now', true, false),
    ('factor.removed', 'admin', 'now', true, false)
  ) as known (type, role, mail, is_fixed, is_about_keys);
end;

/* What a person is told of, and how, as chosen. */
create or replace function notice_choices(of_user bigint)
  returns table (type text, in_product boolean, mail text, is_fixed boolean) language sql stable
begin atomic
  select kind.type, is_fixed or coalesce(choice.in_product, true),
    case when is_fixed then kind.mail else coalesce(choice.mail, kind.mail) end, is_fixed
  from "user" join notice_kinds() as kind on kind.role = "user".role
  left join notice_choice as choice on choice.user_id = "user".id and choice.type = kind.type
  where "user".id = of_user and (not is_about_keys or duty in ('owner', 'operator'));
end;

/* Notices of one bundle are said in one sentence; those of a bundle of its own alone. */
create or replace function notice_bundle(of_type text, of_id bigint) returns bigint language sql immutable
  return case when of_type in ('commission.accrued', 'commission.reversed', 'lead.rejected', 'hold.opened', 'hold.released',
      'key.shown', 'access.asked', 'receiver.failing')
    then null else of_id end;

/* Makes the notices of occurrences from one id to another; repeated calls make none twice. */
create or replace function make_notices(after_id bigint, through_id bigint) returns void language sql volatile
begin atomic
  -- Materialized: until the table is analyzed again PostgreSQL expects few new occurrences, and would compare each of them
  -- with all the others or with all people.
  with mine as materialized (
    select occurrence.id, occurrence.affiliate_id, occurrence.issuer_id, occurrence.product_id, occurrence.payment_id,
      occurrence.receiver_id, occurrence.entry_id, occurrence.rate_id, occurrence.term_id, occurrence.mail_id, occurrence.user_id, occurrence.actor_id,
      occurrence.detail, occurrence.created_at, event.reason_code,
      case when occurrence.type <> 'lead.event' then occurrence.type
        when occurrence.entry_id is not null then 'commission.accrued'
        when event.event_type_name = 'rechazado' then 'lead.rejected' end as told_as
    from occurrence
    -- Of an event that earned nothing: whether it was a rejection.
    left join lead_event as event on event.id = occurrence.event_id and occurrence.entry_id is null
    where occurrence.id > after_id and occurrence.id <= through_id
  ), concerned as materialized (
    select mine.*, person.id as person_id from mine cross join lateral (
      select id from "user" where id = mine.user_id
      union all
      select id from "user" where affiliate_id = mine.affiliate_id and mine.user_id is null
      union all
      select id from "user" where issuer_id = mine.issuer_id and mine.user_id is null
      union all
      -- The network is told of its own, of who tells nothing any more, of who is not told any more and of what it holds.
      select id from "user"
      where role = 'admin' and mine.user_id is null
        and (mine.told_as in ('receiver.paused', 'issuer.silent', 'hold.opened', 'hold.released')
          or num_nonnulls(mine.affiliate_id, mine.issuer_id) = 0)
      union all
      -- What is of a product, or of all links of an issuer, is of all who promote it, a default of those without a commission.
      select "user".id from relationship join "user" on "user".affiliate_id = relationship.affiliate_id
      where relationship.issuer_id = mine.issuer_id and relationship.archived_at is null and relationship_status = 'active'
        and mine.user_id is null and mine.affiliate_id is null
        and (mine.product_id is not null or mine.told_as in ('product.paused', 'product.resumed'))
        and (mine.told_as <> 'commission.changed' or not exists (
          select from commission where commission.product_id = mine.product_id
            and commission.affiliate_id = relationship.affiliate_id and commission.archived_at is null))
      union all
      -- Conditions of an issuer are of all who promote it, those of the network everybody's.
      select "user".id from "user"
      where role = 'affiliate' and mine.term_id is not null and mine.affiliate_id is null and mine.product_id is null
        and (mine.issuer_id is null or exists (
          select from relationship where relationship.issuer_id = mine.issuer_id
            and relationship.affiliate_id = "user".affiliate_id and archived_at is null and relationship_status = 'active'))
    ) as person
  )
  insert into notice (user_id, role, company_id, occurrence_id, type, affiliate_id, issuer_id, product_id, payment_id, receiver_id,
    params, in_product, mail)
  select "user".id, "user".role, coalesce("user".affiliate_id, "user".issuer_id), told.id, told_as, told.affiliate_id,
    told.issuer_id, told.product_id, told.payment_id, told.receiver_id,
    jsonb_strip_nulls(jsonb_build_object(
      'amount', coalesce(abs(entry.amount), payment.total_amount, rate.amount)::text,
      'reason', public_label(reject_reason),
      'step', step.name,
      'from', case when rate.valid_from > told.created_at + interval '1 minute' then
        to_char(rate.valid_from at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end,
      'period_start', period_start::text, 'period_end', period_end::text,
      'valid_from', term.valid_from::text, 'validation', term.validation, 'validation_days', term.validation_days,
      'detail', coalesce(asker.first_name || ' ' || asker.last_name, told.detail))),
    wanted.in_product, wanted.mail
  from concerned as told join "user" on "user".id = told.person_id
  cross join lateral notice_choices("user".id) as wanted
  left join commission_entry as entry on entry.id = told.entry_id
  left join payment on payment.id = told.payment_id
  left join rate on rate.id = told.rate_id
  left join event_step as step on step.id = rate.event_step_id
  left join term on term.id = told.term_id
  left join mail on mail.id = told.mail_id
  left join "user" as asker on asker.email = mail.recipient and asker.user_status = 'active' and asker.archived_at is null
  left join reject_reason on reject_reason.code = coalesce(told.reason_code, entry.reason_code)
  where "user".user_status = 'active' and "user".archived_at is null and wanted.type = told_as
    and (wanted.in_product or wanted.mail <> 'off') and told.actor_id is distinct from "user".id
    -- An announced rate may be cancelled by now, which is told by itself.
    and (told.rate_id is null or rate.id is not null or told.detail is not null)
    -- Anybody may ask with any address.
    and (told.mail_id is null or asker.id is not null)
  order by told.id, "user".id
  on conflict on constraint notice_once_key do nothing;
end;

/* The digest of a day tells what came before eight in the morning of it, in Mexico City. */
create or replace function digest_end(day date) returns timestamptz language sql stable
  return (day + time '08:00') at time zone 'America/Mexico_City';

/* The day whose digest is due at a moment. */
create or replace function digest_day_of(moment timestamptz) returns date language sql stable
  return (moment at time zone 'America/Mexico_City' - interval '8 hours')::date;

/* What may be mailed, or was taken by a letter: of people who are still of the company and have not switched it off since. */
create or replace function notices_wanted()
  returns table (id bigint, user_id bigint, email text, mail text, mail_id bigint, created_at timestamptz) language sql stable
begin atomic
  select notice.id, "user".id, email, notice.mail, mail_id, notice.created_at
  from notice join "user" on "user".id = notice.user_id and "user".role = notice.role
    and company_id is not distinct from coalesce("user".affiliate_id, "user".issuer_id)
  where user_status = 'active' and archived_at is null and not exists (
    -- Not notice_choices() of each row: one join for all of them.
    select from notice_choice as choice join notice_kinds() as kind on kind.type = choice.type
    where choice.user_id = notice.user_id and choice.type = notice.type and choice.mail = 'off'
      and kind.role = notice.role and not is_fixed);
end;

/*
 * What a letter of a kind has to tell: at once, or in the digest of a day what is told daily and, since the last Monday,
 * weekly. What nobody mailed in time is told in the product alone.
 */
create or replace function notices_due(of_kind text, of_day date) returns table (id bigint, user_id bigint, email text)
  language sql stable
begin atomic
  select id, user_id, email from notices_wanted()
  where mail_id is null and (
    of_kind = 'notice' and mail = 'now' and created_at > now() - interval '1 day'
    or of_kind = 'digest' and mail = 'daily'
      and created_at < digest_end(of_day) and created_at >= digest_end(of_day - 2)
    or of_kind = 'digest' and mail = 'weekly' and created_at < digest_end(date_trunc('week', of_day)::date)
      and created_at >= digest_end(date_trunc('week', of_day)::date - 8));
end;

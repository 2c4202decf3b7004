-- What the server's role may do (decisions 3): no DDL, no DELETE where history lives, no column that says when a
-- row was made. Run after every migration, so that "all but" counts the columns of today; a table that is not named
-- here keeps what its own migration grants.

create function pg_temp.grant_but(verb text, tables text[], but text[]) returns void language plpgsql as $$
declare
  one text;
  columns text;
begin
  foreach one in array tables loop
    columns := (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
      where attrelid = format('public.%I', one)::regclass and attnum > 0 and not attisdropped and attname <> all(but));
    execute format('grant %s (%s) on public.%I to afluente_app', verb, columns, one);
  end loop;
end $$;

create function pg_temp.grant_reading(tables text[]) returns void language plpgsql as $$
declare
  one text;
begin
  foreach one in array tables loop
    execute format('revoke all on public.%I from afluente_app', one);
    execute format('grant select on public.%I to afluente_app', one);
  end loop;
end $$;

revoke create on schema public from public;
grant usage on schema public to afluente_app;
select pg_temp.grant_reading(array['affiliate', 'issuer', 'user', 'session', 'throttle', 'api_key', 'relationship', 'product',
  'event_type', 'event_step', 'commission', 'rate', 'lead', 'lead_event', 'rejected_postback', 'event_receipt', 'preview_count',
  'payment', 'commission_entry', 'dashboard', 'audit_entry', 'audit_chain', 'idempotency', 'spool_notice', 'lead_partition',
  'total', 'total_delta', 'lead_state', 'lead_state_due', 'lead_ruling', 'reject_reason', 'term', 'entry_hold', 'import',
  'import_row', 'access_link', 'mail', 'second_factor', 'recovery_code', 'challenge', 'occurrence', 'receiver', 'delivery',
  'delivery_attempt', 'security_policy', 'notice', 'notice_choice', 'silence', 'link_fault', 'refused_day']);
grant usage on sequence lead_id_seq to afluente_app;

-- Counters and notes of the server itself, which nobody would look to for what happened.
grant insert, update, delete on throttle, idempotency, spool_notice to afluente_app;
grant insert, delete on challenge to afluente_app;
grant insert, update on preview_count, link_fault to afluente_app;

-- Rows say when they were made and changed, by themselves.
select pg_temp.grant_but('insert', array['affiliate', 'issuer', 'user', 'session', 'api_key', 'relationship', 'product',
  'event_step', 'commission', 'term', 'entry_hold', 'lead', 'lead_event', 'lead_ruling', 'reject_reason', 'rejected_postback', 'event_receipt', 'payment', 'commission_entry',
  'dashboard', 'audit_entry', 'import', 'access_link', 'mail', 'second_factor', 'recovery_code', 'occurrence',
  'receiver', 'delivery'],
  '{id, created_at, earned_at, updated_at, is_voided, last_used_at, live_order, approved_at, approved_by, cancelled_at, opened_at, released_by,
    released_at, release_note, is_held}');
select pg_temp.grant_but('update', array['affiliate', 'issuer', 'user', 'relationship', 'product', 'event_step', 'commission',
  'payment', 'dashboard'], '{id, created_at, updated_at, live_order}');
select pg_temp.grant_but('update', array['receiver'], '{id, affiliate_id, issuer_id, created_by, created_at}');
-- What is delivered, to whom and under which id stays.
grant update (state, reason, attempts, attempts_before, next_at, claimed_until, settled_at, is_erased, waits_since) on delivery to afluente_app;
-- What was sent of a person can be erased on request (mexico 4.6).
grant insert, update (request_url, request_body, answer) on delivery_attempt to afluente_app;
-- What a person is told of stays; it is read, and mailed.
grant update (read_at, mail_id) on notice to afluente_app;
grant insert, update on notice_choice, silence, refused_day to afluente_app;
select pg_temp.grant_but('update', array['session'], '{id, user_id, impersonator_id, refresh_hash, created_at, expires_at}');
select pg_temp.grant_but('update', array['api_key'],
  '{id, kind, affiliate_id, issuer_id, prefix, key_hash, key_ciphertext, kek_id, created_at}');
-- An entry moves between payments; whose it is, how much and when it was earned stays.
grant update (state, payment_id, due_on, reason, reason_code, approved_at, approved_by, note, converts, is_voided) on commission_entry to afluente_app;
-- A file of an issuer is worked on; whose it is and who brought it stays. Of its rows what they say stays, until it is erased.
select pg_temp.grant_but('update', array['import'], '{id, issuer_id, file_name, created_at, created_by}');
grant insert (import_id, row_no, cells),
  update (cells, lead_id, tracking_id, step_id, reason_code, outcome, expected, result, lead_event_id, ruling_id, undo, undo_amount, remarks, known_amount,
    known_on, charge) on import_row
  to afluente_app;
-- A reason is offered or not; its code and its words stay.
grant update (archived_at) on reject_reason to afluente_app;
-- A term ends, and stays with the pair that agreed on it where its relationship goes to another one; it never changes.
grant update (cancelled_at, relationship_id) on term to afluente_app;
grant update (released_by, released_at, release_note) on entry_hold to afluente_app;
-- A lead's personal data can be corrected or erased on request (mexico 4.6); its ids, its time and its money cannot.
grant update (external_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content, lead_data) on lead to afluente_app;
grant update (event_data) on lead_event to afluente_app;
-- An address in the trail becomes its network (security 2.11).
grant update (address) on audit_entry to afluente_app;
-- A link is used or ended; whose it is and until when it works stays.
grant update (used_at, ended_at) on access_link to afluente_app;
grant update (state, attempts, next_at, error, settled_at) on mail to afluente_app;
grant update (last_step, confirmed_at, counter, last_used_at) on second_factor to afluente_app;
grant update (used_at) on recovery_code to afluente_app;
grant update (second_factor, grace_days, replaces_given, since, changed_by) on security_policy to afluente_app;
-- What is removed proves nothing any more.
grant delete on second_factor, recovery_code to afluente_app;
-- Not kept for ever (security 2.11).
grant delete on session, rejected_postback, event_receipt, access_link, mail, occurrence, delivery,
  delivery_attempt, notice to afluente_app;

drop function pg_temp.grant_but, pg_temp.grant_reading;

-- A small database in use, for db/releases/save.ts: something in every table, leads in merged, closed and open partitions,
-- money in every state, totals that are folded and others that wait.

insert into affiliate (company_name, rfc, contact_name, contact_email) values
  ('Compara Fácil', 'CFA150310AB1', 'Ana Ruiz', 'ana@compara.example.mx'),
  ('Ahorro Diario', 'ADI180522CD2', 'Luis Peña', 'luis@ahorro.example.mx');
insert into issuer (company_name, rfc, contact_name, contact_email) values
  ('Banco Sureño', 'BSU990101EF3', 'Eva Gómez', 'eva@banco.example.mx');
insert into "user" (email, first_name, last_name, password_hash, role, issuer_id, affiliate_id) values
  ('direccion@afluente.example.mx', 'Rosa', 'Núñez', '!', 'admin', null, null),
  ('eva@banco.example.mx', 'Eva', 'Gómez', '!', 'issuer', 1, null),
  ('ana@compara.example.mx', 'Ana', 'Ruiz', '!', 'affiliate', null, 1);
insert into session (user_id, refresh_hash, expires_at, address, user_agent)
  values (1, '\x01', '2026-12-31 12:00Z', '192.0.2.1', 'Mozilla/5.0');
insert into throttle (key, points, expire) values ('login:192.0.2.1', 3, 1800000000000);
insert into api_key (kind, issuer_id, prefix, key_hash, key_ciphertext, kek_id)
  values ('api', 1, 'afl_test', '\x02', '\x03', 'k1');
insert into relationship (affiliate_id, issuer_id, notes) values (1, 1, 'Desde la feria'), (2, 1, '');
insert into product (issuer_id, name, description, redirect_url) values
  (1, 'Tarjeta Oro', 'Sin anualidad', 'https://banco.example.mx/oro?ref={tracking_id}'),
  (1, 'Crédito Exprés', 'En diez minutos', 'https://banco.example.mx/expres?ref={tracking_id}');
insert into event_step (product_id, event_type_id, name, step_order, is_payout_event) values
  (1, 1, 'Solicitud', 1, false), (1, 3, 'Aprobada', 2, true), (1, 4, 'Rechazada', 3, false), (2, 3, 'Aprobado', 1, true);
insert into commission (issuer_id, affiliate_id, product_id, relationship_id, name, payout) values
  (1, 1, 1, 1, 'Oro 2026', 350.00), (1, 2, 2, 2, 'Exprés 2026', 120.50);

-- Three months of leads: of the first two one partition is made, the third one is closed, the newest stays open.
create function add_leads(first timestamptz, count int) returns void language sql as $$
  insert into lead (tracking_id, relationship_id, affiliate_id, issuer_id, product_id, external_id, utm_source, utm_campaign, lead_data)
  select uuidv7(first + n * interval '1 hour' - clock_timestamp()), 1 + n % 2, 1 + n % 2, 1, 1 + n % 2, 'cliente-' || n,
    case n % 3 when 0 then 'facebook' when 1 then 'correo' else '' end, 'Campaña ' || n % 4, jsonb_build_object('ua', 'Firefox')
  from generate_series(1, count) as n
$$;
select add_leads('2026-01-05 18:00Z', 40), cut_leads('2026-02-01 06:00Z');
select add_leads('2026-02-03 18:00Z', 30), cut_leads('2026-03-01 06:00Z');
select add_leads('2026-03-02 18:00Z', 30), cut_leads('2026-04-01 06:00Z');
select close_partition(name) from (select name from lead_partition where end_id is not null order by first_id) as ended;
select merge_partitions(array(select name from lead_partition where leads is not null order by first_id limit 2));
select add_leads('2026-04-02 18:00Z', 20);
drop function add_leads;

-- Every second lead of the first product was approved, some of those rejected afterwards; some of the second.
create function add_events(wanted_step bigint, every int) returns void language sql as $$
  select store_events(1, jsonb_agg(jsonb_build_object('place', place, 'lead_id', id, 'tracking_id', tracking_id,
    'relationship_id', relationship_id, 'affiliate_id', affiliate_id, 'product_id', product_id, 'step_id', wanted_step,
    'step_name', name, 'event_type_id', event_type_id, 'event_type_name', type_name, 'earns', is_payout_event,
    'source', 'api', 'event_id', name || place, 'clock_skew', false, 'idempotency_key', name || place, 'fingerprint', 'ab')))
  from (
    select lead.*, step.name, event_type_id, event_type.name as type_name, is_payout_event,
      row_number() over (order by tracking_id) as place
    from lead join event_step as step on step.id = wanted_step and step.product_id = lead.product_id
    join event_type on event_type.id = event_type_id
  ) as wanted where place % every = 0
$$;
select add_events(1, 2), add_events(2, 2), add_events(4, 3);
select fold_totals(60);
insert into payment (relationship_id, affiliate_id, issuer_id, period_start, period_end, total_leads, total_conversions,
  total_amount, payment_status, payment_date)
  values (1, 1, 1, '2026-01-01', '2026-12-31', 60, 5, 1750, 'paid', '2026-06-01'),
    (2, 2, 1, '2026-01-01', '2026-12-31', 60, 5, 602.50, 'pending', null);
update commission_entry set payment_id = 1, state = 'paid'
  where id in (select id from commission_entry where affiliate_id = 1 order by id limit 5);
update commission_entry set payment_id = 2, state = 'in_payment'
  where id in (select id from commission_entry where affiliate_id = 2 order by id limit 5);
select add_events(3, 6);
drop function add_events;

insert into spool_notice (spool_id, clear_until) values ('0190c4f0-0000-7000-8000-000000000001', '2026-04-03 12:00Z');
insert into rejected_postback (issuer_id, code, message, source, body)
  values (1, 'UNKNOWN_STEP', 'El paso no existe', 'api', '{"step_id": 99}');
insert into event_receipt (issuer_id, verdict, is_test, code, source) values (1, 'duplicate', false, 'DUPLICATE', 'api');
insert into preview_count values ('2026-03-03', 1, 1, 1, 'bot', 7);
insert into dashboard (name, iframe_url, role) values ('Mercado', 'https://tablero.example.mx/a', 'affiliate');
insert into audit_entry (actor_id, actor_role, action, entity, entity_id, label, changes)
  values (1, 'admin', 'update', 'product', 1, 'Tarjeta Oro', '{"name": ["Oro", "Tarjeta Oro"]}');
insert into idempotency (user_id, key, endpoint, fingerprint, status, body)
  values (1, 'k-1', 'POST /api/v1/payments/', '\x04', 201, '{"success": true}');

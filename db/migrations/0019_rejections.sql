-- Why a lead was rejected, and that a rejection can be taken back (D80).

-- A closed list, so that reasons can be counted and compared; codes never change.
create table reject_reason (
  code text primary key check (code ~ '^[a-z][a-z_]{1,39}$'),
  label text not null check (char_length(label) between 1 and 80),
  group_label text not null check (char_length(group_label) between 1 and 80),
  -- What an affiliate can do about it.
  advice text not null default '' check (char_length(advice) <= 200),
  -- About the finances of a person: an affiliate reads the group alone (LFPDPPP, article 7).
  is_financial boolean not null default false,
  place integer not null unique,
  archived_at timestamptz(3)
);
insert into reject_reason (place, code, group_label, label, is_financial, advice) values
  (10, 'buro', 'Política de crédito', 'Historial en buró de crédito', true, 'Promueve el producto entre personas con su historial al corriente.'),
  (20, 'capacidad', 'Política de crédito', 'Capacidad de pago insuficiente', true, 'Di en tu promoción qué ingreso pide el producto.'),
  (30, 'ingreso', 'Política de crédito', 'Ingreso no comprobable', true, 'Di en tu promoción con qué se comprueba el ingreso.'),
  (40, 'edad', 'Política de crédito', 'Edad fuera de rango', false, 'Segmenta tu promoción por la edad que el producto acepta.'),
  (50, 'zona', 'Política de crédito', 'Zona sin cobertura', false, 'Segmenta tu promoción por las zonas con cobertura.'),
  (60, 'ya_cliente', 'Atribución', 'Ya era cliente', false, 'Dirige tu promoción a quienes aún no son clientes del emisor.'),
  (70, 'duplicado', 'Atribución', 'Solicitud duplicada', false, 'La persona ya tenía una solicitud en proceso.'),
  (80, 'otra_fuente', 'Atribución', 'Atribuido a otra fuente', false, 'La persona llegó después por otro medio.'),
  (90, 'vigencia', 'Atribución', 'Fuera de la vigencia de la campaña', false, 'Revisa hasta cuándo vale la campaña antes de promoverla.'),
  (100, 'incompleta', 'Proceso', 'Solicitud incompleta', false, 'Di en tu promoción qué documentos hay que tener a la mano.'),
  (110, 'no_contactado', 'Proceso', 'No se pudo contactar', false, 'Pide que contesten la llamada o el mensaje del emisor.'),
  (120, 'desistio', 'Proceso', 'El solicitante desistió', false, 'Explica el producto con sus costos: quien lo conoce desiste menos.'),
  (130, 'identidad', 'Proceso', 'Identidad no validada', false, 'La identificación debe estar vigente y legible.'),
  (140, 'no_activado', 'Proceso', 'Producto no activado', false, 'Recuerda a quien lo recibe que hay que activarlo.'),
  (150, 'cancelacion', 'Proceso', 'Cancelación temprana', false, 'Promueve el producto entre quienes lo van a usar.'),
  (160, 'fraude', 'Cumplimiento', 'Sospecha de fraude', false, 'Revisa de dónde viene tu tráfico.'),
  (170, 'terminos', 'Cumplimiento', 'Incumplimiento de términos', false, 'Revisa las reglas de promoción del emisor.'),
  (180, 'error_emisor', 'Otro', 'Error del emisor', false, ''),
  (190, 'sin_motivo', 'Otro', 'Sin motivo informado', false, '');

alter table lead_event
  add column reason_code text,
  -- A code that the list does not have, as it was sent.
  add column reason_text text check (char_length(reason_text) <= 255);

-- What people decided about a lead against its events; rows are only added.
create table lead_ruling (
  id bigint generated always as identity primary key,
  lead_id bigint not null,
  tracking_id uuid not null,
  -- The lead's rejections up to this event are taken back; a later one counts again.
  kind text not null check (kind = 'restore'),
  through_event_id bigint not null,
  note text not null check (char_length(note) between 10 and 500),
  author_id bigint not null references "user",
  created_at timestamptz(3) not null default now()
);
create index lead_ruling_lead_index on lead_ruling (lead_id, id);
create trigger mark_lead_states after insert on lead_ruling referencing new table as changed
  for each statement execute function mark_lead_states();

-- A commission, taken back by a negative entry once it was paid, given back by another once that was settled, and so on:
-- each names the one before it, and only the last of them changes.
do $$
declare
  old text;
begin
  for old in
    select conname from pg_constraint
    where conrelid = 'commission_entry'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%reversal_of%'
  loop
    execute format('alter table commission_entry drop constraint %I', old);
  end loop;
end $$;
alter table commission_entry
  add column kind text not null default 'commission' check (kind in ('commission', 'reversal', 'restoration')),
  -- The day in Mexico City from which it can be paid: when it was earned, or given back.
  add column due_on date not null default mexico_day(now()),
  add column reason_code text;
alter table commission_entry disable trigger user;
update commission_entry as entry set
  due_on = mexico_day(earned_at),
  kind = case when reversal_of is null then 'commission' else 'reversal' end,
  -- The first entry of a lead converts, also one that was reversed from the start: it may be given back.
  converts = case
    when reversal_of is null and state = 'reversed' and not exists (
      select from commission_entry as other
      where other.lead_id = entry.lead_id and other.id <> entry.id and other.reversal_of is null
        and (other.converts = 1 or other.id < entry.id)
    ) then 1
    else converts
  end;
alter table commission_entry enable trigger user;
alter table commission_entry
  add constraint commission_entry_chain_check check ((kind = 'commission') = (reversal_of is null)),
  add constraint commission_entry_amount_check check (case kind when 'reversal' then amount <= 0 else amount >= 0 end),
  add constraint commission_entry_converts_check check (converts = 0 or converts = case kind when 'reversal' then -1 else 1 end);

drop index commission_entry_period_index, commission_entry_accrued_index;
-- By the pair: an entry is paid to who earned it, whatever its relationship points at later.
create index commission_entry_period_index on commission_entry (affiliate_id, issuer_id, due_on, id)
  include (state, amount, payment_id);
-- What a payment may still take: little beside all that was ever earned, and looked for from the pair's first day on.
create index commission_entry_accrued_index on commission_entry (affiliate_id, issuer_id, due_on) include (amount)
  where state = 'accrued';

drop function if exists reverse_entries(bigint, jsonb);

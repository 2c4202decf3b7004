-- Money that no event earned: bonuses, adjustments, and what a payment was typed above or below its commissions.

alter table commission_entry
  alter column lead_id drop not null,
  alter column tracking_id drop not null,
  alter column step_id drop not null,
  alter column lead_event_id drop not null,
  alter column commission_id drop not null,
  alter column product_id drop not null,
  -- The payment of which this is the difference between the total that was typed and its commissions.
  add column of_payment bigint references payment,
  -- Unknown where the payment was saved before its difference was an entry.
  add column author_id bigint references "user",
  -- Why it was made; `reason` tells what became of it.
  add column note text check (char_length(note) between 1 and 500),
  drop constraint commission_entry_kind_check,
  drop constraint commission_entry_chain_check,
  drop constraint commission_entry_amount_check,
  drop constraint commission_entry_converts_check;
alter table commission_entry
  add constraint commission_entry_kind_check
    check (kind in ('commission', 'reversal', 'restoration', 'bonus', 'adjustment')),
  add constraint commission_entry_chain_check check ((kind in ('reversal', 'restoration')) = (reversal_of is not null)),
  add constraint commission_entry_amount_check check (
    case kind when 'reversal' then amount <= 0 when 'adjustment' then amount <> 0 when 'bonus' then amount > 0
    else amount >= 0 end),
  add constraint commission_entry_converts_check check (
    converts = 0 or converts = case kind when 'reversal' then -1 when 'commission' then 1 when 'restoration' then 1 end),
  add constraint commission_entry_origin_check check (
    case when kind in ('bonus', 'adjustment')
      then num_nonnulls(lead_id, tracking_id, step_id, lead_event_id, commission_id, rate_id) = 0 and note is not null
      else num_nulls(lead_id, tracking_id, step_id, lead_event_id, product_id) = 0
        and num_nonnulls(of_payment, author_id, note) = 0 end),
  add constraint commission_entry_difference_check check (
    case when of_payment is null then kind not in ('bonus', 'adjustment') or author_id is not null
      else kind = 'adjustment' and state <> 'accrued' and (state = 'reversed' or payment_id = of_payment) end);
create unique index commission_entry_difference_key on commission_entry (of_payment) where state <> 'reversed';
create index commission_entry_typed_index on commission_entry (affiliate_id, issuer_id, id)
  where kind in ('bonus', 'adjustment');

create or replace function mark_lead_states() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  insert into lead_state_due (tracking_id) select distinct tracking_id from changed where tracking_id is not null;
  return null;
end $$;

-- The differences of today's payments. The functions of the triggers do not know such entries yet, so what they would do
-- is done here.
alter table commission_entry disable trigger user;
with added as (
  insert into commission_entry (relationship_id, affiliate_id, issuer_id, amount, kind, state, payment_id, of_payment, note,
    converts, earned_at, due_on)
  select relationship_id, affiliate_id, issuer_id, total_amount - calculated_amount, 'adjustment',
    case payment_status when 'paid' then 'paid' else 'in_payment' end, id, id,
    coalesce(nullif(adjustment_reason, ''), 'Sin motivo informado'), 0, created_at, period_end
  from payment
  where archived_at is null and payment_status <> 'cancelled' and total_amount <> calculated_amount
  returning *
)
insert into total_delta (day, affiliate_id, issuer_id, product_id, in_payment, paid)
select mexico_day(earned_at), affiliate_id, issuer_id, 0,
  coalesce(sum(amount) filter (where state = 'in_payment'), 0), coalesce(sum(amount) filter (where state = 'paid'), 0)
from added group by 1, 2, 3;
alter table commission_entry enable trigger user;

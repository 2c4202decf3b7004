-- What compensates a commission stands and falls with it: what was paid is answered by an opposite entry, as a commission is.

alter table commission_entry
  -- Of a bonus or an adjustment: a person took it back, or the change that it came with was cancelled. It stays so
  -- whatever becomes of its lead.
  add column is_voided boolean not null default false,
  drop constraint commission_entry_amount_check,
  drop constraint commission_entry_origin_check,
  drop constraint commission_entry_compensation_check;
alter table commission_entry disable trigger user;
update commission_entry set is_voided = true
where kind in ('bonus', 'adjustment') and state = 'reversed' and of_payment is null;
alter table commission_entry enable trigger user;
alter table commission_entry
  add constraint commission_entry_voided_check check (not is_voided or state = 'reversed'),
  -- A compensation has either sign, and so has its answer.
  add constraint commission_entry_amount_check check (
    case when compensates is not null or kind = 'adjustment' then amount <> 0 when kind = 'reversal' then amount <= 0
    when kind = 'bonus' then amount > 0 else amount >= 0 end),
  add constraint commission_entry_origin_check check (
    case when kind in ('bonus', 'adjustment') or compensates is not null
      then num_nonnulls(lead_id, tracking_id, step_id, lead_event_id, commission_id, rate_id) = 0 and note is not null
      else num_nulls(lead_id, tracking_id, step_id, lead_event_id, product_id) = 0
        and num_nonnulls(of_payment, author_id, note) = 0 end),
  add constraint commission_entry_compensation_check check (
    case when compensates is null then compensating_rate_id is null
      else kind in ('adjustment', 'reversal', 'restoration') and of_payment is null end);
drop index commission_entry_compensation_key;
create unique index commission_entry_compensation_key on commission_entry (compensates, compensating_rate_id)
  where compensates is not null and reversal_of is null;
create index commission_entry_compensates_index on commission_entry (compensates, id) where compensates is not null;

-- What a payment's entries summed up to when its total was calculated, whether it was ever paid, and the reasons given.

alter table payment
  add column calculated_amount numeric(16, 2) not null default 0,
  add column adjustment_reason text not null default '' check (char_length(adjustment_reason) <= 500),
  add column cancel_reason text not null default '' check (char_length(cancel_reason) <= 500),
  add column paid_at timestamptz(3);

-- No change of the payments themselves, so their updated_at stays. An entry that was reversed inside a payment was part
-- of the sum when it was calculated: whoever pays an open one is told; a paid one shows the difference as an adjustment.
alter table payment disable trigger user;
update payment set
  calculated_amount = coalesce((
    select sum(amount) from commission_entry
    where payment_id = payment.id and (state <> 'reversed' or payment_status <> 'paid')), 0),
  paid_at = case when payment_status = 'paid' and archived_at is null then updated_at end;
alter table payment enable trigger user;

alter table payment
  -- Being paid once is remembered for ever: such a payment is not deleted, and not cancelled without a reason.
  add constraint payment_paid_check check (payment_status <> 'paid' or paid_at is not null or archived_at is not null),
  add constraint payment_kept_check check (paid_at is null or archived_at is null),
  add constraint payment_cancelled_check check (
    case payment_status when 'cancelled' then paid_at is null or cancel_reason <> '' else cancel_reason = '' end);

-- What a payment has to add up to.

/*
 * At the end of each transaction: a payment's total is what was calculated and its difference; once it is paid, the sum of
 * all that it holds. One that is cancelled or removed has no difference. Raises payment_sum_check.
 */
create or replace function check_payment_sum() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  own payment;
  difference numeric;
  held numeric;
begin
  select * into own from payment where id = new.id;
  select coalesce(sum(amount), 0) into difference from commission_entry where of_payment = own.id and state <> 'reversed';
  if own.archived_at is not null or own.payment_status = 'cancelled' then
    if difference = 0 then return null; end if;
  elsif own.payment_status <> 'paid' then
    if difference = own.total_amount - own.calculated_amount then return null; end if;
  else
    select coalesce(sum(amount), 0) into held from commission_entry where payment_id = own.id and state <> 'reversed';
    if held = own.total_amount and difference = own.total_amount - own.calculated_amount then return null; end if;
  end if;
  raise exception 'payment % does not add up to %', own.id, own.total_amount
    using errcode = 'check_violation', constraint = 'payment_sum_check', table = 'payment';
end $$;

/* A difference is earned on the last day of its payment's period, when it falls due, whenever somebody types it. */
create or replace function date_difference() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  new.earned_at := new.due_on::timestamp at time zone 'America/Mexico_City';
  return new;
end $$;
create or replace trigger date_difference before insert or update of due_on on commission_entry for each row
  when (new.of_payment is not null) execute function date_difference();

do $$
begin
  if not exists (select from pg_trigger where tgrelid = 'payment'::regclass and tgname = 'check_payment_sum') then
    create constraint trigger check_payment_sum
      after insert or update of total_amount, calculated_amount, payment_status, archived_at on payment
      deferrable initially deferred for each row execute function check_payment_sum();
  end if;
end $$;

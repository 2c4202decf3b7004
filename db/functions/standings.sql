-- How far a lead came and what it earned, for lists and files.

/*
 * A rejection counts whenever it came, as in store_events(). A lead is paid while all that it earned and kept is; what it
 * earns later makes it approved again.
 */
create or replace function standing_of(of_lead bigint) returns table (state text, amount numeric) language sql stable
begin atomic
  select
    case
      when told.types is null then 'click'
      when 'rechazado' = any(told.types) then 'rejected'
      when earned.is_paid then 'paid'
      when told.types && '{aprobado,entregado}' then 'approved'
      else 'in_process'
    end,
    earned.amount
  from (select array_agg(distinct event_type_name) as types from lead_event where lead_id = of_lead) as told
  cross join (
    select sum(entry.amount) as amount, bool_and(entry.state = 'paid') as is_paid
    from commission_entry as entry where lead_id = of_lead and entry.state <> 'reversed'
  ) as earned;
end;

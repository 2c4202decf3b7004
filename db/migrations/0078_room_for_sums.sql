-- Sums have room for whatever can be stored. No table is rewritten, since only the number of digits grows.

-- They name columns that change; db/functions makes them again.
drop trigger if exists check_payment_sum on payment;
drop function if exists entry_sums(commission_entry[], int);
drop function if exists make_notices(bigint, bigint);
drop function if exists move_results(uuid, jsonb);
drop function if exists place_results(result_delta[]);
drop function if exists result_differences(uuid[]);
drop function if exists standing_of(bigint);
alter table payment alter column total_amount type numeric(18, 2), alter column calculated_amount type numeric(18, 2);
alter table commission_entry alter column amount type numeric(18, 2);
alter table total
  alter column accrued type numeric(30, 2), alter column in_payment type numeric(30, 2),
  alter column paid type numeric(30, 2), alter column reversed type numeric(30, 2);
alter table total_delta
  alter column accrued type numeric(30, 2), alter column in_payment type numeric(30, 2),
  alter column paid type numeric(30, 2), alter column reversed type numeric(30, 2);
alter table result alter column earned type numeric(30, 2);
alter table result_delta alter column earned type numeric(30, 2);
alter table result_lead alter column earned type numeric(30, 2);

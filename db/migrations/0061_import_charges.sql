-- What is charged when a lead is rejected that was paid: not all that it earned need be paid.

drop function if exists judge_import_rows(bigint, int, int);
alter table import_row add column charge numeric(14, 2) not null default 0;
-- One that is being simulated begins anew, since its rows are added up as they are judged.
update import set done = 0 where status = 'simulating';
-- Of files that were simulated before, all that their leads lose, as it was said.
update import set outcomes = (
  select jsonb_agg(one || jsonb_build_object('charge',
    case one ->> 'outcome' when 'reject_paid' then ltrim(one ->> 'amount', '-') else '0.00' end) order by place)
  from jsonb_array_elements(outcomes) with ordinality as told (one, place)
) where outcomes <> '[]';

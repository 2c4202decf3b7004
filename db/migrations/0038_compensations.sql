-- When a rate changes, what was earned before it may be compensated: an adjustment for each commission.

alter table commission_entry
  -- The commission whose amount it brings to that of a later rate, and that rate; null once that change is cancelled.
  add column compensates bigint references commission_entry,
  add column compensating_rate_id bigint references rate on delete set null,
  add constraint commission_entry_compensation_check check (
    case when compensates is null then compensating_rate_id is null else kind = 'adjustment' and of_payment is null end);
create unique index commission_entry_compensation_key on commission_entry (compensates, compensating_rate_id)
  where compensates is not null;
create index commission_entry_compensating_index on commission_entry (compensating_rate_id)
  where compensating_rate_id is not null;

-- A sequence that is set back must not give the id of another new lead again. Later partitions are made so by cut_leads().

do $$
declare
  open_one text := (select name from lead_partition where end_id is null);
  index_of_ids text := (select indexrelid::regclass from pg_index
    where indrelid = open_one::regclass and not indisprimary and indnatts = 1);
begin
  execute format('drop index %s', index_of_ids);
  execute format('create unique index on %I (id)', open_one);
end $$;

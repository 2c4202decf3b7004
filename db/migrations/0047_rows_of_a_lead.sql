-- Whether the rows of a file agree about a lead is found at the ends of this index, however many they are.
drop index import_row_lead_index;
create index import_row_lead_index on import_row (lead_id, import_id, step_id, row_no) where lead_id is not null;

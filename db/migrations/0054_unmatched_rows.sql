-- Access and erasure of a lead look through the rows that were matched with none.

create index import_row_unmatched_index on import_row (import_id) where lead_id is null and cells is not null;

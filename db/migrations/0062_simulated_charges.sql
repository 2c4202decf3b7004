-- An application does what the simulation showed, its charges too. Files simulated before 0061 said that a lead that was
-- paid is charged all that it loses.

update import_row set charge = -expected from import
where import.id = import_id and status in ('simulated', 'applying') and outcome = 'reject_paid' and charge = 0;

-- A bonus or adjustment is written once for a request; what compensates a commission waits for its approval with it.

alter table commission_entry
  -- Of a bonus or adjustment: the Idempotency-Key with which its author sent it.
  add column request_key text
    check (request_key is null or author_id is not null and char_length(request_key) between 1 and 255);
create unique index commission_entry_request_key on commission_entry (author_id, request_key)
  where request_key is not null;

-- What no payment has yet of those that could be paid from the end of the validation on, approved or not.
alter table commission_entry disable trigger user;
update commission_entry as entry set due_on = 'infinity', validation_ends_on = earned.validation_ends_on
from commission_entry as earned
where earned.id = entry.compensates and earned.due_on = 'infinity' and entry.reversal_of is null
  and entry.state in ('accrued', 'reversed');
alter table commission_entry enable trigger user;

comment on column commission_entry.lead_id is
  'null, like step, event and rate, of a bonus or adjustment that a person wrote, and of what answers one';
comment on column commission_entry.reversal_of is
  'the entry that this one takes back (reversal) or gives back (restoration): of the same lead and step, or of what compensates the same commission';
comment on column commission_entry.is_held is 'a hold of this entry is open (entry_hold): no payment may take it';
comment on column commission_entry.note is
  'why a person wrote a bonus or adjustment, or what a payment was typed above or below its commissions; what answers one keeps its note';

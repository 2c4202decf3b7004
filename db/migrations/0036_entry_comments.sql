-- What the columns of an entry mean after the migrations since 0004.
comment on column commission_entry.lead_id is 'null, like step, event and rate, of a bonus or adjustment that a person wrote';
comment on column commission_entry.amount is 'the better of the rates at the click and at the event; never changed afterwards';
comment on column commission_entry.reversal_of is
  'the entry of the same lead and step that this one takes back (reversal) or gives back (restoration)';
comment on column commission_entry.of_payment is
  'the payment whose typed total is this much above or below its commissions';
comment on column commission_entry.due_on is
  'the day from which a payment may take it; infinity while somebody has to approve it: no period reaches it';
comment on column commission_entry.is_held is 'a hold of the entry, its lead or its affiliate: no payment may take it';
comment on column commission_entry.converts is
  '1 with the first entry of a lead, 0 in its others, -1 where that one was paid and is taken back; after a void moved to one that stands';
comment on column commission_entry.reason is 'why its state is another than its own event made it';
comment on column commission_entry.note is 'why a person wrote a bonus or adjustment';

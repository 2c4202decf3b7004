-- 'Bonos y ajustes' also lists what took a compensation back with its lead, and what gave it back.

drop index commission_entry_typed_index;
create index commission_entry_typed_index on commission_entry (affiliate_id, issuer_id, id)
  where kind in ('bonus', 'adjustment') or compensates is not null;

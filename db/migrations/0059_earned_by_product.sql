-- What a new default of a product compensates is looked for without an affiliate (server/rates/compensation.ts).

create index commission_entry_product_index on commission_entry (product_id, earned_at) where kind = 'commission';

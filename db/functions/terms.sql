-- The terms of a relationship and product on a day.

/* One row: each field as the narrowest term says that does not leave it open; else paid at once, without approval. */
create or replace function term_of(of_issuer bigint, of_product bigint, of_relationship bigint, on_day date)
  returns table (validation text, validation_days int) language sql stable
begin atomic
  select
    coalesce((array_agg(held.validation order by width) filter (where held.validation is not null))[1], 'automatic'),
    coalesce((array_agg(held.validation_days order by width) filter (where held.validation_days is not null))[1], 0)
  from (
    select distinct on (width) * from (
      select term.*, 4 * (relationship_id is null)::int + 2 * (product_id is null)::int + (issuer_id is null)::int as width
      from term
      where cancelled_at is null and valid_from <= on_day
        and (issuer_id is null or issuer_id = of_issuer)
        and (product_id is null or product_id = of_product)
        and (relationship_id is null or relationship_id = of_relationship)
    ) as reaching
    order by width, valid_from desc
  ) as held;
end;

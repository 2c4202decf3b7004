import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'

export const CROWD = { affiliates: 2_000, issuers: 50, products: 5_000, users: 2_000 }

/** The largest network that the screens must support; half of the products are of one issuer, to fill Eventos. */
export async function fillCrowd(db: Db): Promise<void> {
  const { affiliates, issuers, products, users } = CROWD
  for (const [table, count, letters, name] of [
    ['issuer', issuers, 'BAN', 'Banco Público de Crédito'],
    ['affiliate', affiliates, 'POR', 'Portal de Comparación'],
  ] as const)
    await sql`
      insert into ${sql.table(table)} (company_name, rfc, address, contact_name, contact_email)
      select ${name} || ' ' || lpad(n::text, 4, '0'), ${letters} || '010101' || lpad(to_hex(n), 3, '0'),
        'Av. Reforma ' || n, 'Luz Contacto', 'contacto' || n || '@' || ${table}::text || '.mx'
      from generate_series(1, ${count}::int) as n`.execute(db)
  await sql`
    insert into product (issuer_id, name, description, redirect_url)
    select case when n % 2 = 0 then 1 else 1 + n % ${issuers}::int end, 'Tarjeta de Crédito ' || lpad(n::text, 4, '0'),
      'Tarjeta sin anualidad, con seguro y meses sin intereses', 'https://banco.example.mx/?ref={tracking_id}'
    from generate_series(1, ${products}::int) as n`.execute(db)
  await sql`
    insert into event_step (product_id, event_type_id, name, step_order, is_payout_event)
    select product.id, n, (array['Solicitud', 'Documentos', 'Aprobación'])[n], n, n = 3
    from product cross join generate_series(1, 3) as n`.execute(db)
  await sql`
    insert into relationship (affiliate_id, issuer_id, notes)
    select id, 1 + id % ${issuers}::int, 'Alta por convenio' from affiliate`.execute(db)
  await sql`
    insert into payment (relationship_id, affiliate_id, issuer_id, period_start, period_end, total_leads,
      total_conversions, total_amount, calculated_amount, payment_date)
    select relationship.id, affiliate_id, issuer_id, month, month + 27, 100, 10, 5000, 5000, month + 30
    from relationship cross join unnest(array['2025-03-01', '2025-04-01']::date[]) as month`.execute(db)
  await sql`
    insert into "user" (email, first_name, last_name, password_hash, role, affiliate_id)
    select 'persona' || id || '@portal.mx', 'Ana', 'Prueba', '!', 'affiliate', id
    from affiliate order by id limit ${users}::int`.execute(db)
  await sql`analyze`.execute(db)
}

// The obvious design: each click is an INSERT of its own, committed before its answer, on a pool of ten connections.
// TABLE is `lead`, or one like it that has the indexes of a list besides.
import { randomUUIDv7 } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const INSERT = `insert into ${process.env.TABLE} (tracking_id, relationship_id, affiliate_id, issuer_id, product_id, external_id,
  utm_source, lead_data)
  select $1, relationship.id, relationship.affiliate_id, relationship.issuer_id, product.id, $4, $5, $6
  from relationship join product on product.id = $3 where relationship.id = $2`

interface Click {
  Params: { relationship_id: string }
  Querystring: { product_id: string; external_id: string; utm_source: string }
}

const app = Fastify({ logger: false })
app.get<Click>('/api/v1/leads/redirect/:relationship_id/', async ({ params, query }, reply) => {
  const id = randomUUIDv7()
  const data = JSON.stringify({ params: {}, ip_trunc: '127.0.0.0', ua_family: 'Chrome' })
  const values = [id, params.relationship_id, query.product_id, query.external_id, query.utm_source, data]
  await pool.query({ name: 'click', text: INSERT, values })
  return reply.code(302).header('location', `https://banco.example.mx/alta?ref=${id}`).send()
})
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })

// The upper bound: what Fastify alone can answer, with the headers of a click and no work.
import Fastify from 'fastify'

const app = Fastify({ logger: false })
app.get('/api/v1/leads/redirect/:relationship_id/', (_request, reply) =>
  reply
    .code(302)
    .headers({
      'cache-control': 'no-store, private',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      location: 'https://banco.example.mx/alta?ref=0198f2a0-0000-7000-8000-000000000000',
    })
    .send(),
)
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })

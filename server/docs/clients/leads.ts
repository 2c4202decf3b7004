// leads.ts — los leads de unos días que ya terminaron, cada uno una vez. Node 22.18 o posterior:
// node leads.ts https://afluente.example.mx aff_… 2026-07-01 2026-07-31
import type { paths } from './afluente-api.ts'

type Leads = paths['/api/v1/leads/']['get']['responses'][200]['content']['application/json']

const [url = '', apiKey = '', from = '', to = ''] = process.argv.slice(2)
for (let page = 1, pages = 1; page <= pages; page += 1) {
  // Del más antiguo al más reciente y en cualquier estado: así nada cambia de página mientras se leen.
  const query = new URLSearchParams({ from, to, ordering: 'created_at', page_size: '100', page: String(page) })
  const answer = await fetch(`${url}/api/v1/leads/?${query}`, { headers: { 'x-api-key': apiKey } })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  const { data } = (await answer.json()) as Leads
  pages = data.pagination.total_pages
  for (const { tracking_id, state } of data.results) process.stdout.write(`${tracking_id} ${state}\n`)
}

import type { paths } from './afluente-api.ts'

type Leads = paths['/api/v1/leads/']['get']['responses'][200]['content']['application/json']

const [url = '', apiKey = ''] = process.argv.slice(2)
const answer = await fetch(`${url}/api/v1/leads/`, { headers: { 'x-api-key': apiKey } })
const { data } = (await answer.json()) as Leads
for (const { tracking_id, state } of data.results) process.stdout.write(`${tracking_id} ${state}\n`)

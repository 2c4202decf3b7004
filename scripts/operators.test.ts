import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { connect } from '#db/connect.ts'
import { makeUser } from '#db/factories.ts'
import { createTestDatabase } from '#db/testing.ts'
import { localAddress } from '#server/config.ts'

const SECRET = '9f2c4e8b7a6d5031c2e4f6a8b0d1e3f597a1b3c5d7e9f0a2b4c6d8e0f1a3b5c7'

/** What an operator does, in an environment of these variables alone: the exit code, and what was said. */
const command = (name: string, words: string[], env: Record<string, string>) =>
  new Promise<[unknown, string]>((resolve) =>
    execFile(process.execPath, [`scripts/${name}.ts`, ...words], { env }, (error, said) =>
      resolve([error?.code ?? 0, said]),
    ),
  )

test('access gives a link to the site; without PUBLIC_URL it says that the link leads to this machine', async () => {
  const database = await createTestDatabase()
  const db = connect(database.url, { max: 1 })
  const { email } = await makeUser(db, { role: 'admin' })
  const access = (env: Record<string, string>) =>
    command('access', [email], { DATABASE_URL: database.url, SECRET, ...env })
  const [code, said] = await access({ PUBLIC_URL: 'https://red.ejemplo.mx' })
  expect([code, said]).toEqual([0, expect.stringMatching(/\nhttps:\/\/red\.ejemplo\.mx\/acceso#[\w-]{43}\n$/)])
  const [, local] = await access({ PORT: '8080' })
  expect(local).toContain('\nhttp://127.0.0.1:8080/acceso#')
  expect(local).toContain(
    'Sin PUBLIC_URL lleva a este equipo: cambie http://127.0.0.1:8080 por la dirección del sitio.',
  )
  await db.destroy()
  await database.drop()
})

test('ready asks the server where it listens, until it is ready', async () => {
  const asked: unknown[] = []
  const server = createServer((request, response) => {
    asked.push(request.url)
    response.writeHead(asked.length > 1 ? 200 : 503).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const PORT = String((server.address() as AddressInfo).port)
  expect(await command('ready', [], { HOST: '::', PORT })).toEqual([0, 'Afluente está listo.\n'])
  expect(asked).toEqual(['/readyz', '/readyz'])
  server.close()
})

test.each([
  ['127.0.0.1', 'http://127.0.0.1:80'],
  ['0.0.0.0', 'http://127.0.0.1:80'],
  ['::', 'http://127.0.0.1:80'],
  ['::1', 'http://[::1]:80'],
  ['10.0.0.7', 'http://10.0.0.7:80'],
])('who listens at %s is asked at %s', (host, address) => expect(localAddress(host, 80)).toBe(address))

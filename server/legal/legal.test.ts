import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../testing.ts'
import { readLegal } from './documents.ts'

const folder = mkdtempSync(join(tmpdir(), 'afluente-legal-'))
afterAll(() => rmSync(folder, { recursive: true }))
const fileOf = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const PAGES = ['/aviso-de-privacidad', '/terminos']

describe('our own texts', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({
      PUBLIC_URL: 'https://red.example.mx',
      LEGAL_NAME: 'Río & Hijos, S.A. de C.V. <b>*fuerte*</b>',
      LEGAL_ADDRESS: 'Av. Juárez 1,\nCol. Centro',
      LEGAL_EMAIL: 'privacidad@red.example.mx',
      RETENTION_REJECTED_DAYS: '60',
      RETENTION_ADDRESS_DAYS: '45',
      RETENTION_DATA_MONTHS: '18',
      RETENTION_RECORD_YEARS: '7',
    })
  })
  afterAll(() => server.stop())

  const expectSaid = async (path: string, parts: string[]) => {
    const { text } = await server.anonymous.get(path)
    for (const part of parts) expect(text).toContain(part)
  }

  test.each(PAGES)('%s names who answers for the site, letter by letter, and nothing runs in it', async (path) => {
    const page = await server.anonymous.get(path, { headers: { accept: 'text/html' } })
    expect(page.status).toBe(200)
    expect(page.text).toContain('Río &amp; Hijos, S.A. de C.V. &lt;b&gt;*fuerte*&lt;/b&gt;')
    expect(page.text).toContain('Av. Juárez 1, Col. Centro')
    expect(page.text).toContain('<a href="mailto:privacidad@red.example.mx">privacidad@red.example.mx</a>')
    expect(page.text).not.toMatch(/\{\{|por indicar|incompleto|<script|<b>/)
    expect(page.text.match(/<h1/g)).toHaveLength(1)
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
      ),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    })
  })

  test('the notice says what the law asks for', async () => {
    await expectSaid('/aviso-de-privacidad/', [
      'Ley Federal de Protección de Datos Personales en Posesión de los Particulares',
      'dirección IP',
      'Finalidades necesarias (primarias)',
      'Finalidades voluntarias (secundarias)',
      'Derechos ARCO',
      'Secretaría Anticorrupción y Buen Gobierno',
      'Cookies y otras tecnologías',
      'Cambios a este aviso',
      'segundos factores',
      'envío de correo',
      'Avisos dentro de la plataforma: 90 días',
    ])
  })

  test('the terms tell the amount that a commission has, and what it may wait for', async () => {
    await expectSaid('/terminos', [
      'el mayor de dos importes: el vigente al hacer clic y el vigente al recibirse el evento',
      'la tarifa general del producto',
      'en validación, esperar aprobación o quedar retenida',
    ])
  })

  test('the notice says for how long things are kept, as configured', async () => {
    await expectSaid('/aviso-de-privacidad', ['se elimina a los 45 días', '60 días a lo más', '18 meses', '7 años'])
  })

  test('the notice names what a browser keeps of ours, and no file keeps more', async () => {
    await expectSaid('/aviso-de-privacidad', [
      'el tema claro u oscuro',
      'la altura de los renglones',
      'los atajos',
      'las columnas de una lista',
    ])
    const writes = (path: string) => /localStorage\.setItem|localStorage\[/.test(readFileSync(path, 'utf8'))
    const files = ['web', 'public'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    expect(files.filter((path) => /(?<!\.test)\.(ts|tsx|js)$/.test(path) && writes(path)).toSorted()).toEqual([
      'web/leads/columns.tsx',
      'web/shell/density.ts',
      'web/shell/single-keys.ts',
      'web/shell/theme.ts',
    ])
  })

  test.each(PAGES)('%s is sent again only when it changed; HEAD has the same heads', async (path) => {
    const page = await server.anonymous.get(path)
    const etag = page.headers.get('etag') ?? ''
    const again = await server.anonymous.get(path, { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } })
    expect([again.status, again.text]).toEqual([304, ''])
    const head = await server.anonymous.request('HEAD', path)
    expect([head.status, head.headers.get('etag'), head.text]).toEqual([200, etag, ''])
    expect((await server.anonymous.post(path, {})).status).toBe(404)
  })
})

test('a site of which nobody said who runs it says so instead of inventing somebody', async () => {
  const server = await startServer()
  try {
    for (const path of PAGES) {
      const { text } = await server.anonymous.get(path)
      expect(text).toContain('Este documento está incompleto')
      expect(text).toContain('(nombre o razón social por indicar)')
    }
  } finally {
    await server.stop()
  }
})

const HOSTILE = `\uFEFFResponde {{ responsable }} <script>alert(1)</script> y {{otra}}.\r
\r
<img src=x onerror=alert(1)>\r
\r
- [pulsa](javascript:alert(1))\r
- ![foto](https://malo.mx/x.png)\r
- https://bueno.mx/a?b=1&c="2"\r
\r
    con sangría\r
`

test('a text of the operator takes the place of ours; whatever is in it is text', async () => {
  const server = await startServer({
    LEGAL_NAME: 'Red del Norte',
    PRIVACY_FILE: fileOf('aviso.md', HOSTILE),
    TERMS_FILE: fileOf('terminos.txt', '# Condiciones de uso\n\nSolo para socios.'),
  })
  try {
    const privacy = (await server.anonymous.get('/aviso-de-privacidad')).text
    const main = privacy.slice(privacy.indexOf('<main>'), privacy.indexOf('</main>'))
    expect(main).toContain(
      '<h1>Aviso de privacidad</h1>\n<p>Responde Red del Norte &lt;script&gt;alert(1)&lt;/script&gt;',
    )
    expect(main).toContain('{{otra}}')
    expect(main).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(main).toContain('<a href="https://bueno.mx/a?b=1&amp;c=')
    expect(main).not.toMatch(/<script|<img|<pre|href="javascript/)
    const terms = (await server.anonymous.get('/terminos')).text
    expect(terms).toContain('<h1>Condiciones de uso</h1>\n<p>Solo para socios.</p>')
    expect(terms).not.toContain('incompleto')
  } finally {
    await server.stop()
  }
})

test.each([
  ['is not there', () => join(folder, 'nada.md'), 'no existe'],
  ['is a folder', () => folder, 'es una carpeta'],
  ['is empty', () => fileOf('vacio.md', ' \n'), 'el archivo está vacío'],
  ['is not UTF-8', () => fileOf('latin1.md', new Uint8Array([0x41, 0xf1, 0x6f])), 'no es texto en UTF-8'],
  ['is too large', () => fileOf('grande.md', 'a'.repeat(600_000)), 'pasa de 512 KB'],
])('a file that %s is refused in a sentence that names its variable', (_what, pathOf, reason) => {
  expect(() => readLegal('PRIVACY_FILE', pathOf(), './aviso-de-privacidad.md')).toThrow(
    new RegExp(`^No se puede usar PRIVACY_FILE \\(.*\\): .*${reason}\\.$`),
  )
})

import { expect, test } from 'vitest'
import { completeLanding } from './page.ts'

const built = `<link  rel="canonical" href="/" />
<meta  property="og:url" content="/" />
<meta  property="og:image" content="/og.png" />
<a data-link="demo" href="/login" class="x">Ver demo</a>
<a data-link="support" role="link" aria-disabled="true" class="y">Contacto y Soporte</a>`

const publicUrl = 'https://afluente.example'

test('a server with demonstration accounts offers them; without a contact the link leads nowhere', () => {
  expect(completeLanding(built, { publicUrl, supportUrl: undefined, demo: true })).toBe(
    `<link  rel="canonical" href="https://afluente.example/" />
<meta  property="og:url" content="https://afluente.example/" />
<meta  property="og:image" content="https://afluente.example/og.png" />
<a data-link="demo" href="/login" class="x">Ver demo</a>
<a data-link="support" role="link" aria-disabled="true" class="y">Contacto y Soporte</a>`,
  )
})

test('without them the demo is the vision of the product', () => {
  expect(completeLanding(built, { publicUrl, supportUrl: undefined, demo: false })).toContain(
    '<a data-link="demo" href="#vision" class="x">Ver demo</a>',
  )
})

test('the contact of the operator is where the link leads, letter by letter', () => {
  const supportUrl = 'https://ayuda.example/?a=1&b="$&"'
  expect(completeLanding(built, { publicUrl, supportUrl, demo: true })).toContain(
    '<a data-link="support" href="https://ayuda.example/?a=1&amp;b=&quot;$&amp;&quot;" class="y">Contacto y Soporte</a>',
  )
})

import { expect, test } from 'vitest'
import { render } from './render.tsx'

// As it is built: a browser without scripts gets the same.
const page = render()

const textOf = (markup: string) => markup.replace(/<[^>]*>/g, '')
const partOf = (pattern: RegExp) => pattern.exec(page)?.[0] ?? ''
const chapter = (id: string) => partOf(new RegExp(`<section id="${id}".*?</section>`, 's'))
const headingsOf = (markup: string) => [...markup.matchAll(/<h3.*?<\/h3>/gs)].map(([heading]) => textOf(heading))
const linksOf = (markup: string) =>
  [...markup.matchAll(/<a ([^>]*)>(.*?)<\/a>/gs)].map(([, attributes = '', text = '']) => ({
    href: / ?href="([^"]*)"/.exec(attributes)?.[1],
    name: textOf(text),
  }))

test('it pitches, shows and explains', () => {
  expect(textOf(partOf(/<h1.*?<\/h1>/s))).toMatch(/^Gestiona gratis tu red de afiliados/)
  expect(textOf(page)).toContain('Métricas, comisiones y rendimiento en tiempo real para quienes emiten')
  expect(textOf(chapter('como-funciona'))).toContain('con el monto del clic o uno mejor')
  expect(textOf(page)).toMatch(/Ningún clic, evento o peso confirmado se pierde/)
  expect(textOf(page)).toContain('Cada lead gana el mejor de dos montos: el de su clic y el de su evento.')
  expect(textOf(partOf(/<footer.*<\/footer>/s))).toContain('© 2024 Afluente')
})

test.each([
  ['como-funciona', 'Muchos clics, un solo cauce', ['Clic', 'Lead', 'Comisión', 'Pago']],
  [
    'hoja-de-ruta',
    'Hoja de ruta en cuatro fases',
    ['Inicio controlado', 'Plataforma semiautomatizada', 'Automatización completa', 'Sofisticación avanzada con IA'],
  ],
  ['vision', 'Visión del producto', ['Centralización y gobernanza', 'Trazabilidad inicial', 'Visibilidad ejecutiva']],
])('the chapter %s has its points', (id, title, points) => {
  expect(textOf(chapter(id))).toContain(title)
  expect(headingsOf(chapter(id))).toEqual(points)
})

test("'Comenzar gratis' leads to how the product and its demonstration are installed", () => {
  expect(linksOf(page)).toContainEqual({ href: '#comenzar', name: 'Comenzar gratis' })
  const text = textOf(chapter('comenzar'))
  for (const part of ['npm start', 'npm test', 'red de demostración']) expect(text).toContain(part)
})

test.each(['Inicio de Sesión', 'Ya tengo cuenta', 'Entrar a Afluente', 'Ver demo'])(
  '%s leads to the sign-in',
  (name) => {
    expect(linksOf(page)).toContainEqual({ href: '/login', name })
  },
)

test('each link within the page leads to a part of it, and the support nowhere until the operator says where', () => {
  const links = linksOf(page)
  const inner = links.flatMap(({ href }) => (href?.startsWith('#') ? [href.slice(1)] : []))
  expect(inner.length).toBeGreaterThan(7)
  expect(inner.filter((id) => !page.includes(`id="${id}"`))).toEqual([])
  expect(links.filter(({ href }) => href === undefined)).toEqual([{ href: undefined, name: 'Contacto y Soporte' }])
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ComponentType } from 'react'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Role } from '#contract/roles.ts'
import { textsOf } from './drawn.testing.tsx'

interface Texts {
  /** While nothing has come, and when nothing comes. */
  loading: string[]
  failed: string[]
  /** When there is nothing: what is said, and what to do about it. */
  empty?: string[]
  /** When a filter leaves nothing: the filter, and what is said. */
  search?: readonly [filter: string, text: string]
}

const NO_MATCH = 'No se encontraron resultados para la búsqueda'
const dashboards: Texts = {
  loading: ['Cargando dashboards...'],
  failed: ['Error al cargar los dashboards'],
  empty: ['Aún no tienes dashboards'],
}
const board: Texts = { loading: ['Cargando tablero...'], failed: ['Error al cargar el tablero'] }
const adjustments: Texts = {
  loading: ['Cargando movimientos...'],
  failed: ['Error al cargar los bonos y ajustes'],
  empty: ['No hay bonos ni ajustes'],
  search: ['?tipo=bonus', 'Ningún movimiento coincide con esos filtros'],
}
const approvals: Texts = {
  loading: ['Cargando comisiones...'],
  failed: ['Error al cargar las comisiones por aprobar'],
  empty: ['Nada espera aprobación'],
  search: ['?afiliado=7', 'Nada espera aprobación con esos filtros'],
}
const imports: Texts = {
  loading: ['Cargando conciliaciones...'],
  failed: ['Error al cargar las conciliaciones'],
  empty: ['Aún no hay archivos', 'El primero que subas aparece aquí, con lo que pasó con cada renglón.'],
}
const leads: Texts = {
  loading: ['Cargando leads...'],
  failed: ['Error al cargar los leads'],
  empty: ['No hay leads registrados', 'Cada clic en un enlace de afiliado aparecerá aquí.'],
  search: ['?external_id=nadie', 'No se encontraron leads con los filtros aplicados'],
}
const receivers: Texts = {
  loading: ['Cargando direcciones...'],
  failed: ['Error al cargar las direcciones'],
  empty: [
    'Todavía no avisas a ninguna dirección',
    'Agrega la dirección de tu sistema y pruébala: aquí verás qué contestó a cada aviso.',
  ],
}
const results: Texts = {
  loading: ['Cargando resultados...'],
  failed: ['Error al cargar los resultados'],
  empty: [
    'No hay leads en este periodo',
    'Cada clic en un enlace de afiliado cuenta aquí, con sus UTM y sus sub1 a sub10.',
  ],
  search: ['?search=nadie', 'No se encontraron valores con esa búsqueda'],
}
const people: Texts = {
  loading: ['Cargando personas...'],
  failed: ['Error al cargar las personas'],
  empty: ['Nadie tiene cuenta en la empresa'],
}
const ownCards = {
  loading: [
    ...['Cargando tus datos...', 'Cargando sesiones...', 'Cargando tu verificación en dos pasos...'],
    'Cargando tus avisos...',
  ],
  failed: [
    ...['No se pudieron cargar tus datos', 'No se pudieron cargar tus sesiones'],
    ...['No se pudo cargar tu verificación en dos pasos', 'No se pudieron cargar tus avisos'],
  ],
}

/** By the name of their addresses; what somebody opens in a screen has its own tests. */
const screens: Record<string, Texts> = {
  'admin.adjustments': adjustments,
  'admin.affiliates': {
    loading: ['Cargando afiliados...'],
    failed: ['Error al cargar afiliados'],
    empty: ['No se encontraron afiliados'],
    search: ['?q=nadie', NO_MATCH],
  },
  'admin.approvals': approvals,
  'admin.audit': {
    loading: ['Cargando bitácora...'],
    failed: ['Error al cargar la bitácora'],
    empty: ['Todavía no hay nada en la bitácora'],
    search: ['?entidad=issuer', 'No se encontró nada con los filtros aplicados'],
  },
  'admin.commissions': {
    loading: ['Cargando comisiones...'],
    failed: ['Error al cargar las comisiones', 'Error al cargar las tarifas'],
    empty: ['No hay comisiones configuradas', 'Sin comisión configurada, un lead que convierte no genera pago.'],
    search: ['?emisor=7', 'No se encontraron comisiones con esos filtros'],
  },
  'admin.dashboard': {
    loading: [
      ...['Cargando lo que hay por pagar...', 'Cargando lo que hay por atender...', 'Cargando el embudo...'],
      ...['Cargando los cambios...', 'Cargando actividad...'],
    ],
    failed: [
      ...['Error al cargar lo que hay por pagar', 'Error al cargar las cifras', 'Error al cargar el embudo'],
      ...['Error al cargar lo que hay por atender', 'Error al cargar los cambios', 'Error al cargar la actividad'],
    ],
  },
  'admin.dashboards': {
    ...dashboards,
    empty: ['No hay dashboards de otras herramientas'],
    search: ['?q=nadie', NO_MATCH],
  },
  'admin.events': {
    loading: ['Cargando eventos...'],
    failed: ['Error al cargar los eventos'],
    empty: ['No hay eventos configurados', 'Agrega el primer paso del flujo de este producto.'],
    search: ['?q=nadie', 'No se encontraron eventos que coincidan con la búsqueda'],
  },
  'admin.imports': imports,
  'admin.issuers': {
    loading: ['Cargando emisores...'],
    failed: ['Error al cargar emisores'],
    empty: ['No se encontraron emisores'],
    search: ['?q=nadie', NO_MATCH],
  },
  'admin.keys': {
    loading: ['Cargando claves...'],
    failed: ['Error al cargar las claves'],
    empty: ['Todavía no hay claves', 'Crea una para un almacén de datos, una hoja de cálculo o un sistema contable.'],
  },
  'admin.leads': leads,
  'admin.mail': {
    loading: ['Cargando correos...'],
    failed: ['Error al cargar los correos'],
    empty: ['No hay correos', 'Sin SMTP_URL no se envía ninguno: los enlaces se muestran a quien los pide.'],
  },
  'admin.payments': {
    loading: ['Cargando pagos...'],
    failed: ['Error al cargar los pagos'],
    empty: ['No hay pagos registrados', 'Crea el primero y calcula su monto con las comisiones devengadas.'],
    search: ['?estado=paid', 'No hay pagos para los filtros seleccionados'],
  },
  'admin.privacy': { loading: [], failed: [] }, // asks nothing until somebody searches
  'admin.products': {
    loading: ['Cargando productos...'],
    failed: ['Error al cargar los productos'],
    empty: [
      'No se encontraron productos en el sistema',
      'Crea el primero: necesitas un emisor y la dirección a la que lleva el clic.',
    ],
    search: ['?q=nadie', NO_MATCH],
  },
  'admin.reasons': {
    loading: ['Cargando motivos...'],
    failed: ['Error al cargar los motivos'],
    empty: ['No hay motivos'],
  },
  'admin.receivers': receivers,
  'admin.relationships': {
    loading: ['Cargando relaciones...'],
    failed: ['Error al cargar las relaciones'],
    empty: [
      'No se encontraron relaciones',
      'Relaciona un afiliado con un emisor para que pueda promover sus productos.',
    ],
    search: ['?q=nadie', NO_MATCH],
  },
  'admin.results': results,
  'admin.settings': {
    loading: [...ownCards.loading, 'Cargando la seguridad por rol...'],
    failed: [...ownCards.failed, 'No se pudo cargar la seguridad por rol'],
  },
  'admin.terms': {
    loading: ['Cargando condiciones...'],
    failed: ['Error al cargar las condiciones'],
    empty: [
      'No hay condiciones',
      'Mientras no haya, toda comisión puede pagarse desde el día en que se gana, sin aprobación.',
    ],
  },
  'admin.users': {
    loading: ['Cargando usuarios...'],
    failed: ['Error al cargar los usuarios'],
    empty: ['No se encontraron usuarios'],
    search: ['?rol=issuer', NO_MATCH],
  },
  'issuer.adjustments': adjustments,
  'issuer.affiliates': {
    loading: ['Cargando afiliados...'],
    failed: ['Error al cargar afiliados'],
    empty: [
      'Sin afiliados asociados',
      'Las relaciones con afiliados las gestiona el administrador. Contáctalo para sumar al primero.',
    ],
    search: ['?q=nadie', 'No se encontraron afiliados que coincidan con la búsqueda'],
  },
  'issuer.approvals': approvals,
  'issuer.commissions': {
    loading: ['Cargando comisiones...'],
    failed: ['Error al cargar las comisiones', 'Error al cargar las tarifas'],
    empty: ['No hay comisiones configuradas', 'Sin comisión configurada, un lead que convierte no genera pago.'],
    search: ['?q=nadie', 'No se encontraron comisiones que coincidan con la búsqueda'],
  },
  'issuer.dashboard': dashboards,
  'issuer.events': {
    loading: ['Cargando eventos...'],
    failed: ['Error al cargar los eventos'],
    empty: [
      'No hay eventos configurados para este producto',
      'Los eventos se configuran desde el panel de administración',
    ],
    search: ['?q=nadie', 'No se encontraron eventos que coincidan con la búsqueda'],
  },
  'issuer.imports': imports,
  'issuer.integration': {
    loading: ['Cargando tus claves...', 'Cargando productos y pasos...', 'Cargando postbacks...'],
    failed: [
      ...['No se pudieron cargar los datos del emisor', 'No se pudieron cargar los datos de la integración'],
      ...['Error al cargar los postbacks recibidos', 'No se pudo cargar quién tiene acceso'],
    ],
  },
  'issuer.leads': leads,
  'issuer.payments': {
    loading: ['Cargando pagos...'],
    failed: ['Error al cargar los pagos'],
    empty: [
      'No hay pagos registrados',
      'Aquí aparecerán los pagos a tus afiliados cuando el administrador los registre.',
    ],
    search: ['?estado=paid', 'No hay pagos para los filtros seleccionados'],
  },
  'issuer.people': people,
  'issuer.products': {
    loading: ['Cargando productos...'],
    failed: ['Error al cargar los productos'],
    empty: ['No se encontraron productos', 'El administrador da de alta tus productos.'],
    search: ['?q=nadie', 'No se encontraron productos'],
  },
  'issuer.receivers': receivers,
  'issuer.results': results,
  'issuer.settings': {
    loading: [...ownCards.loading, 'Cargando los datos del emisor...'],
    failed: [...ownCards.failed, 'No se pudieron cargar los datos del emisor', 'No se pudo cargar quién tiene acceso'],
  },
  'affiliate.campaigns': { loading: ['Esta sección está en desarrollo'], failed: [] },
  'affiliate.commissions': {
    loading: ['Cargando comisiones...'],
    failed: ['Error al cargar las comisiones'],
    empty: ['Aún no hay comisiones', 'Cada lead que llegue a un paso que genera comisión aparecerá aquí.'],
    search: ['?situacion=held', 'No hay comisiones para los filtros seleccionados'],
  },
  'affiliate.dashboard': dashboards,
  'affiliate.events': {
    loading: ['Cargando eventos...'],
    failed: ['Error al cargar los eventos'],
    empty: ['No hay eventos configurados para este producto', 'El administrador configura el flujo de cada producto.'],
  },
  'affiliate.issuers': {
    loading: ['Cargando emisores...'],
    failed: ['Error al cargar los emisores'],
    empty: ['No hay emisores asociados', 'Contacta al administrador para que te relacione con un emisor.'],
    search: ['?q=nadie', 'No se encontraron emisores que coincidan con la búsqueda'],
  },
  'affiliate.leads': leads,
  'affiliate.payments': {
    loading: ['Cargando pagos...'],
    failed: ['Error al cargar los pagos'],
    empty: ['No hay pagos registrados', 'Aquí aparecerá tu primer pago cuando el administrador lo registre.'],
    search: ['?estado=paid', 'No hay pagos para los filtros seleccionados'],
  },
  'affiliate.people': people,
  'affiliate.products': {
    loading: ['Cargando productos...'],
    failed: ['Error al cargar los productos'],
    empty: [
      'No hay productos disponibles',
      'Aquí están los productos de los emisores con los que tienes una relación activa. Si falta alguno, contacta al administrador.',
    ],
  },
  'affiliate.receivers': {
    ...receivers,
    empty: [
      'Todavía no avisas a ninguna dirección',
      'Agrega la dirección de tu rastreador y pruébala: aquí verás qué contestó a cada aviso.',
    ],
  },
  'affiliate.results': results,
  'affiliate.settings': {
    loading: [...ownCards.loading, 'Cargando los datos del afiliado...'],
    failed: [
      ...ownCards.failed,
      ...['No se pudieron cargar los datos del afiliado', 'No se pudo cargar quién tiene acceso'],
    ],
  },
  'boards.commissions': board,
  'boards.funnel': { ...board, empty: ['Aún no hay productos', 'Cuando haya uno, aquí verás su embudo.'] },
  'boards.network': board,
  'boards.performance': board,
}

const ROUTE = /screen\(paths\.(admin|issuer|affiliate|boards)\.(\w+), \(\) => import\('([^']+)'\)\)/g
const routes = [...readFileSync(join(import.meta.dirname, 'routes.tsx'), 'utf8').matchAll(ROUTE)].map(
  ([, area = '', name = '', file = '']) => ({
    screen: `${area}.${name}`,
    role: area === 'boards' ? 'admin' : area,
    file,
  }),
)

beforeAll(() => void vi.stubGlobal('localStorage', { getItem: () => null }))
afterAll(() => void vi.unstubAllGlobals())

test('every screen has its texts', () => {
  expect(Object.keys(screens).sort()).toEqual(routes.map(({ screen }) => screen).sort())
})

/** No rows, whether a list comes whole or by the page. */
const NO_ROWS = Object.assign([], {
  results: [],
  pagination: { count: 0, total_pages: 1, current_page: 1, page_size: 50 },
})

test.each(routes)(
  '$screen says that it loads, that it failed and can be tried again, and that there is nothing',
  async ({ screen, ...at }) => {
    const { default: Screen }: { default: ComponentType } = await import(at.file)
    const role = at.role as Role
    const texts = screens[screen] as Texts
    const says = (shown: string[], promised: readonly string[]) =>
      expect(shown).toEqual(expect.arrayContaining([...promised]))

    const loading = textsOf(Screen, { role, asked: 'waiting' })
    says(loading, texts.loading)
    expect(loading.join()).not.toMatch(/Error al cargar|No se pud/)
    const failed = textsOf(Screen, { role, asked: 'failed' })
    says(failed, texts.failed)
    expect(failed.join()).not.toMatch(/Cargando/)
    expect(failed.filter((text) => text === 'Reintentar')).toHaveLength(texts.failed.length)
    if (texts.empty) says(textsOf(Screen, { role, asked: { answer: NO_ROWS } }), texts.empty)
    if (!texts.search) return
    const [search, text] = texts.search
    const found = textsOf(Screen, { role, search, asked: { answer: NO_ROWS } })
    says(found, [text, 'Prueba con otras palabras o quita algún filtro.'])
  },
)

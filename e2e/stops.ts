// Long: the screens of every role stand in one table, with what opens over them.
import type { makeEverything } from './everything.ts'
import type { Stop } from './walk.ts'

interface World {
  affiliate: { company_name: string }
  issuer: { id: number; company_name: string }
  product: { id: number; name: string }
  made: Awaited<ReturnType<typeof makeEverything>>
}

const company = (what: string): string[] => [
  `Nuevo ${what} ! Crear`,
  'Editar ',
  '⋯ > Editar usuario administrador',
  '⋯ > Claves y accesos',
  '⋯ > Eliminar',
]

const receivers = (name: string, receiver: string) => [
  `Nuevo ${name} ! Crear`,
  `Entregas de ${receiver}`,
  `Entregas de ${receiver} > Ver entrega`,
  ...['Secreto', 'Editar', 'Eliminar'].map((each) => `⋯ > ${each}`),
]
const ownSettings = ['Cambiar contraseña ! Cambiar contraseña', 'Agregar aplicación de códigos']
const people = ['Invitar a una persona ! Invitar', 'Cambiar el perfil de Zoé', 'Suspender a Zoé']

interface OfNetwork {
  recipient: string
  receiver: string
  keyName: string
}

export const adminStops = (
  { affiliate, issuer, product, made }: World,
  { recipient, receiver, keyName }: OfNetwork,
): Stop[] => [
  {
    path: '/app/admin/dashboard',
    title: 'Dashboard',
    has: 'Actividad reciente',
    opens: ['Buscar…', 'Avisos'],
  },
  {
    path: `/app/admin/affiliates?q=${affiliate.company_name}`,
    title: 'Afiliados',
    has: affiliate.company_name,
    opens: company('Afiliado'),
  },
  {
    path: `/app/admin/issuers?q=${issuer.company_name}`,
    title: 'Emisores',
    has: issuer.company_name,
    opens: company('Emisor'),
  },
  {
    path: `/app/admin/relationships?emisor=${issuer.id}&q=${affiliate.company_name}`,
    title: 'Relaciones Afiliado-Emisor',
    has: affiliate.company_name,
    opens: ['Nueva Relación ! Crear', 'Editar ', '⋯ > Eliminar'],
    shows: ['Elegir '],
  },
  {
    path: `/app/admin/products?emisor=${issuer.id}`,
    title: 'Productos',
    has: product.name,
    opens: ['Nuevo Producto ! Crear', 'Editar ', '⋯ > Eliminar'],
    shows: ['Elegir '],
  },
  {
    path: `/app/admin/events?emisor=${issuer.id}&producto=${product.id}`,
    title: 'Eventos',
    has: 'Tarjeta aprobada',
    opens: ['Nuevo Paso ! Crear', 'Editar ', '⋯ > Eliminar'],
  },
  {
    path: `/app/admin/users?q=${made.email}`,
    title: 'Usuarios',
    has: made.email,
    opens: [
      'Nuevo Usuario ! Crear',
      'Editar ',
      ...['Enviar', 'Ver como', 'Restablecer contraseña', 'Cerrar sesiones', 'Eliminar'].map((each) => `⋯ > ${each}`),
    ],
  },
  {
    path: `/app/admin/leads?issuer_id=${issuer.id}`,
    title: 'Gestión de Leads',
    has: 'ana-7',
    opens: [
      'Exportar',
      'Columnas',
      `Ver lead ${made.lead.id}`,
      `Ver lead ${made.lead.id} > Rechazar ! Rechazar lead`,
      `Ver lead ${made.lead.id} > ¿De dónde sale? Comisión`,
      `Ver lead ${made.lead.id} > ¿De dónde sale? Comisión > Retener ! Retener comisión`,
    ],
    shows: ['Filtrar por'],
  },
  { path: '/app/admin/approvals', title: 'Por aprobar', has: affiliate.company_name, shows: ['Elegir la comisión'] },
  { path: '/app/admin/reconciliation', title: 'Conciliación', has: 'marzo.csv' },
  {
    path: `/app/admin/payments?emisor=${issuer.id}`,
    title: 'Gestión de Pagos',
    has: '$1,500.00',
    opens: [
      'Crear Pago ! Crear',
      'Crear Pago > Elegir fecha: Inicio del periodo',
      `Editar pago ${made.payment.id}`,
      'Ver comisiones sin pago',
      'Explicar un monto',
      '$1,500.00',
    ],
    shows: ['Elegir Pago'],
  },
  {
    path: '/app/admin/adjustments',
    title: 'Bonos y ajustes',
    has: 'Bono por meta de volumen',
    opens: ['Nuevo movimiento ! Registrar', 'Anular '],
  },
  {
    path: `/app/admin/commissions?emisor=${issuer.id}`,
    title: 'Comisiones',
    has: affiliate.company_name,
    opens: [
      'Nueva Comisión ! Configurar Comisión',
      'Tarifa general del producto ! Guardar tarifa',
      ...['Historial', 'Programar cambio', 'Copiar', 'Eliminar'].map((each) => `⋯ > ${each}`),
      'Editar ',
    ],
  },
  { path: '/app/admin/results', title: 'Resultados', has: 'boletin' },
  {
    path: '/app/admin/settings',
    title: 'Configuración',
    has: 'Esta sesión',
    opens: [...ownSettings, 'Cambiar la seguridad de Afiliado'],
  },
  {
    path: '/app/admin/audit?entidad=product&accion=update',
    title: 'Bitácora',
    has: 'actualizó el producto',
    opens: ['Ver entrada'],
  },
  {
    path: '/app/admin/privacy',
    title: 'Datos personales',
    searches: made.lead.tracking_id,
    has: 'ana-7',
    opens: ['Consultar datos ! Consultar', 'Rectificar datos', 'Suprimir datos'],
  },
  {
    path: '/app/admin/terms',
    title: 'Condiciones',
    has: affiliate.company_name,
    opens: ['Nueva condición', 'Cancelar la condición'],
  },
  {
    path: '/app/admin/reasons',
    title: 'Motivos de rechazo',
    has: 'Historial en buró',
    opens: ['Nuevo motivo ! Crear'],
  },
  {
    path: '/app/admin/webhooks',
    title: 'Webhooks',
    has: receiver,
    opens: [
      'Nuevo webhook ! Crear',
      `Entregas de ${receiver}`,
      `Entregas de ${receiver} > Ver entrega`,
      ...['Secreto', 'Editar', 'Eliminar'].map((each) => `⋯ > ${each}`),
    ],
  },
  {
    path: `/app/admin/dashboards?q=${made.board.name}`,
    title: 'Dashboards externos',
    has: made.board.name,
    opens: ['Nuevo Dashboard ! Crear', 'Ver ', 'Editar ', '⋯ > Eliminar'],
  },
  { path: '/app/admin/mail', title: 'Correos', has: recipient },
  {
    path: '/app/admin/keys',
    title: 'Claves de consulta',
    has: keyName,
    opens: ['Nueva clave ! Crear clave', `Revocar ${keyName}`],
  },
  { path: '/app/unauthorized', title: 'Acceso denegado', has: 'No tienes permisos' },
]

const board = { title: 'Rendimiento', has: 'Tasa de conversión' }

export const issuerStops = ({ affiliate, product, made }: World, receiver: string): Stop[] => [
  { path: '/app/issuer/dashboard', title: 'Dashboard', has: 'Tasa de conversión', opens: ['Periodo', 'Tablero'] },
  { path: '/app/issuer/dashboard?tablero=embudo', title: 'Dashboard', has: 'Pasos' },
  {
    path: '/app/issuer/products',
    title: 'Productos',
    has: product.name,
    opens: ['Ver '],
  },
  {
    path: '/app/issuer/commissions',
    title: 'Comisiones',
    has: 'Aprobadas',
    opens: [
      'Nueva Comisión ! Configurar Comisión',
      'Tarifa general del producto ! Guardar tarifa',
      ...['Historial', 'Programar cambio', 'Programar cambio ! Programar cambio', 'Copiar', 'Eliminar'].map(
        (each) => `⋯ > ${each}`,
      ),
      'Editar ',
    ],
  },
  {
    path: '/app/issuer/events',
    title: 'Consulta de Eventos por Producto',
    has: 'Tarjeta aprobada',
    opens: ['Ver detalles'],
  },
  {
    path: '/app/issuer/payments',
    title: 'Pagos',
    has: affiliate.company_name,
    opens: [`Ver pago ${made.payment.id}`],
  },
  { path: '/app/issuer/adjustments', title: 'Bonos y ajustes', has: 'Bono por meta de volumen' },
  {
    path: '/app/issuer/affiliates',
    title: 'Red de Afiliados Asociados',
    has: affiliate.company_name,
    opens: ['Ver detalles'],
  },
  { path: '/app/issuer/leads', title: 'Mis Leads', has: 'ana-7', opens: [`Ver lead ${made.lead.id}`] },
  { path: '/app/issuer/approvals', title: 'Por aprobar', has: affiliate.company_name },
  { path: '/app/issuer/reconciliation', title: 'Conciliación', has: 'marzo.csv' },
  {
    path: `/app/issuer/reconciliation?archivo=${made.file.id}`,
    title: 'marzo.csv',
    has: 'Qué dice cada columna',
    opens: ['Descartar'],
    shows: ['Simular'],
  },
  { path: '/app/issuer/results', title: 'Resultados', has: 'boletin', opens: ['Agrupar'] },
  {
    path: '/app/issuer/settings',
    title: 'Configuraciones',
    has: 'Esta sesión',
    opens: [...ownSettings, 'Cambiar API key', 'Cambiar token', 'Exigir la firma'],
  },
  {
    path: '/app/issuer/integration',
    title: 'Integración',
    has: 'Evento de prueba',
    shows: ['Enviar evento de prueba'],
  },
  { path: '/app/issuer/webhooks', title: 'Webhooks', has: receiver, opens: receivers('webhook', receiver) },
  { path: '/app/issuer/people', title: 'Personas', has: 'Ana Prueba', opens: people },
]

export const affiliateStops = ({ issuer, product, made }: World, receiver: string): Stop[] => [
  { path: '/app/affiliate/dashboard', title: 'Dashboard', has: 'Tus productos' },
  { path: '/app/affiliate/campaigns', title: 'Campañas', has: 'Esta sección está en desarrollo' },
  {
    path: '/app/affiliate/products',
    title: 'Productos',
    has: product.name,
    opens: [`Ver ${product.name}`, `Ver ${product.name} + Código QR`],
  },
  { path: '/app/affiliate/events', title: 'Eventos', has: 'Tarjeta aprobada' },
  {
    path: '/app/affiliate/leads',
    title: 'Mis Leads',
    has: 'ana-7',
    opens: [`Ver lead ${made.lead.id}`, `Ver lead ${made.lead.id} > ¿De dónde sale? Comisión`],
  },
  { path: '/app/affiliate/results', title: 'Resultados', has: 'boletin' },
  {
    path: '/app/affiliate/commissions',
    title: 'Mis comisiones',
    has: '$350.00',
    opens: ['¿De dónde sale la comisión'],
  },
  {
    path: '/app/affiliate/payments',
    title: 'Pagos',
    has: issuer.company_name,
    opens: [`Ver pago ${made.payment.id}`, 'Explicar un monto'],
  },
  { path: '/app/affiliate/issuers', title: 'Emisores', has: issuer.company_name, opens: ['Ver '] },
  {
    path: '/app/affiliate/settings',
    title: 'Configuraciones',
    has: 'Esta sesión',
    opens: [...ownSettings, 'Cambiar API key'],
  },
  { path: '/app/affiliate/people', title: 'Personas', has: 'Ana Prueba', opens: people },
  { path: '/app/affiliate/postbacks', title: 'Postbacks', has: receiver, opens: receivers('postback', receiver) },
]

/** Pages of figures for who frames them elsewhere; the administrator sees all of them. */
/** Of a product that has steps: the first one of the network may have none. */
export const boardStops = ({ id }: { id: number }): Stop[] => [
  { path: '/embed/red', title: 'Red', has: 'Por relación' },
  { ...board, path: '/embed/rendimiento', shows: ['Ver tabla'] },
  { path: `/embed/embudo?product_id=${id}`, title: 'Embudo', has: 'Pasos' },
  { path: '/embed/comisiones', title: 'Comisiones', has: 'Por día' },
]

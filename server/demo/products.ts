import type { IssuerKey } from './companies.ts'
import type { FlowKey } from './flows.ts'

export interface DemoProduct {
  key: string
  issuer: IssuerKey
  name: string
  description: string
  redirect_url: string
  flow: FlowKey
  /** What the issuer pays for a conversion before the affiliate's own deal, in pesos. */
  payout: number
  /** Its weight in an affiliate's traffic. */
  appeal: number
  /** How many days ago it was withdrawn. */
  retiredDaysAgo?: number
}

const CAT_NOTE = 'Para fines informativos y de comparación exclusivamente. Sujeto a aprobación de crédito.'
const IPAB_NOTE = 'Producto garantizado por el IPAB hasta por 400,000 UDI por persona y por institución.'

/** Terms and figures are invented; each has the kind of legal text that its advertising requires. */
export const products = [
  {
    key: 'clasica',
    issuer: 'altaluz',
    name: 'Tarjeta Altaluz Clásica',
    description: `Tarjeta de crédito sin anualidad el primer año y 3 % de bonificación en supermercados. CAT promedio 89.4 % sin IVA, tasa de interés promedio ponderada anual 61.2 %, anualidad $748.00. Calculado al 30 de junio de 2026. ${CAT_NOTE}`,
    redirect_url: 'https://solicitud.altaluz.example/tarjetas/clasica?canal=afiliados&ref={tracking_id}',
    flow: 'creditCard',
    payout: 950,
    appeal: 10,
  },
  {
    key: 'travesia',
    issuer: 'altaluz',
    name: 'Tarjeta Altaluz Travesía',
    description: `Tarjeta de crédito con puntos para viajes y acceso a salas de aeropuerto. Ingresos comprobables desde $35,000 mensuales. CAT promedio 71.8 % sin IVA, anualidad $2,950.00. Calculado al 30 de junio de 2026. ${CAT_NOTE}`,
    redirect_url: 'https://solicitud.altaluz.example/t/{tracking_id}/travesia',
    flow: 'creditCard',
    payout: 1450,
    appeal: 4,
  },
  {
    key: 'personal',
    issuer: 'altaluz',
    name: 'Préstamo Personal Altaluz',
    description: `De $15,000 a $400,000 a pagos fijos de 12 a 60 meses, sin comisión por apertura ni penalización por pago anticipado. CAT promedio 38.9 % sin IVA, tasa fija anual desde 24.9 %. Vigencia al 31 de diciembre de 2026. ${CAT_NOTE}`,
    redirect_url: 'https://prestamos.altaluz.example/inicio?click_id={tracking_id}&producto=personal',
    flow: 'loan',
    payout: 820,
    appeal: 7,
  },
  {
    key: 'nomina',
    issuer: 'altaluz',
    name: 'Cuenta Altaluz Libre',
    description: `Cuenta de débito sin saldo mínimo, retiros sin comisión en más de 6,000 cajeros y portabilidad de nómina en línea. GAT nominal 2.00 %, GAT real -1.75 % antes de impuestos; la GAT real es el rendimiento que obtendría después de descontar la inflación estimada. ${IPAB_NOTE}`,
    redirect_url: 'https://cuentas.altaluz.example/libre#origen={tracking_id}',
    flow: 'account',
    payout: 260,
    appeal: 8,
  },
  {
    key: 'tlanextli-cuenta',
    issuer: 'tlanextli',
    name: 'Cuenta Tlanextli',
    description:
      'Cuenta digital con tarjeta virtual inmediata, transferencias SPEI sin costo y física a domicilio por $99.00. Institución de Fondos de Pago Electrónico; los recursos de los usuarios no se encuentran garantizados por ninguna autoridad. Consulte términos y comisiones antes de contratar.',
    redirect_url: 'https://app.tlanextli.example/alta/{tracking_id}',
    flow: 'wallet',
    payout: 120,
    appeal: 13,
  },
  {
    key: 'tlanextli-garantizada',
    issuer: 'tlanextli',
    name: 'Tarjeta Garantizada Tlanextli',
    description: `Tarjeta de crédito para empezar o reparar historial: deposita desde $1,000 y esa es tu línea. CAT promedio 94.7 % sin IVA, sin anualidad. Calculado al 31 de agosto de 2026. ${CAT_NOTE}`,
    redirect_url: 'https://app.tlanextli.example/garantizada?utm_source=afluente&clickid={tracking_id}',
    flow: 'securedCard',
    payout: 340,
    appeal: 6,
  },
  {
    key: 'tlanextli-apartados',
    issuer: 'tlanextli',
    name: 'Apartados Tlanextli Plus',
    description:
      'Suscripción de $49.00 al mes con apartados automáticos, bonificación de 1 % en servicios y retiros sin costo. Cancelación en cualquier momento desde la aplicación. Precio con IVA incluido.',
    redirect_url: 'https://app.tlanextli.example/plus/{tracking_id}?paso=1',
    flow: 'wallet',
    payout: 80,
    appeal: 4,
  },
  {
    key: 'express',
    issuer: 'nogalera',
    name: 'Microcrédito Nogalera Exprés',
    description: `De $500 a $8,000 a 30 días con respuesta en minutos. Ejemplo: $3,000 a 30 días, pagas $3,780. CAT promedio 412.6 % sin IVA. Calculado al 31 de julio de 2026. Infórmate antes de contratar; incumplir tus obligaciones puede generarte comisiones e intereses moratorios. ${CAT_NOTE}`,
    redirect_url: 'https://expres.nogalera.example/solicitud?ref={tracking_id}',
    flow: 'microcredit',
    payout: 180,
    appeal: 11,
  },
  {
    key: 'medida',
    issuer: 'nogalera',
    name: 'Préstamo Nogalera a tu Medida',
    description: `De $10,000 a $120,000 con pagos quincenales y domiciliación. CAT promedio 74.3 % sin IVA, comisión por apertura 3 %. Calculado al 31 de julio de 2026. ${CAT_NOTE}`,
    redirect_url: 'https://www.nogalera.example/medida/{tracking_id}/datos',
    flow: 'loan',
    payout: 560,
    appeal: 6,
  },
  {
    key: 'pyme',
    issuer: 'nogalera',
    name: 'Crédito Nogalera Pyme',
    description: `Crédito simple para personas físicas con actividad empresarial, de $80,000 a $1,500,000. CAT promedio 46.1 % sin IVA para un crédito de $300,000 a 24 meses. ${CAT_NOTE}`,
    redirect_url: 'https://pyme.nogalera.example/?lead={tracking_id}',
    flow: 'loan',
    payout: 1200,
    appeal: 2,
    retiredDaysAgo: 17,
  },
  {
    key: 'auto-nuevo',
    issuer: 'caminollano',
    name: 'Crédito Camino Auto Nuevo',
    description: `Financiamiento de autos nuevos con enganche desde 15 % y plazos de 12 a 72 meses. CAT promedio 19.8 % sin IVA, tasa fija anual 14.5 %, comisión por apertura 2.5 %. Ejemplo: auto de $385,000 a 60 meses. ${CAT_NOTE}`,
    redirect_url: 'https://cotiza.caminollano.example/nuevo?origen=afiliado&id={tracking_id}',
    flow: 'autoLoan',
    payout: 1600,
    appeal: 4,
  },
  {
    key: 'auto-seminuevo',
    issuer: 'caminollano',
    name: 'Crédito Camino Seminuevo',
    description: `Crédito para autos seminuevos de hasta siete años, con avalúo sin costo. CAT promedio 27.6 % sin IVA, tasa fija anual 19.9 %. Seguro de auto obligatorio durante la vigencia. ${CAT_NOTE}`,
    redirect_url: 'https://cotiza.caminollano.example/{tracking_id}/seminuevo',
    flow: 'autoLoan',
    payout: 1150,
    appeal: 4,
  },
] as const satisfies readonly DemoProduct[]

export type ProductKey = (typeof products)[number]['key']

/** Products that an affiliate does not promote although it works with the issuer. */
export const notPromoted: readonly `${string}/${ProductKey}`[] = [
  'ruedas/clasica',
  'ruedas/travesia',
  'ruedas/nomina',
  'mafer/personal',
  'mafer/tlanextli-garantizada',
  'onceveinte/personal',
  'finanzasconlupa/express',
  'marchante/pyme',
  'tuquincena/pyme',
]

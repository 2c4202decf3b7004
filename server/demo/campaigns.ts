import type { AffiliateKey } from './companies.ts'
import type { Random } from './random.ts'

export interface Campaign {
  source: string
  medium: string
  campaigns: readonly string[]
  terms?: readonly string[]
  contents?: readonly string[]
  weight: number
}

interface Habit {
  /** Share of all traffic. */
  weight: number
  /** How its visitors convert, relative to the average. */
  quality: number
  /** Its negotiated factor on the product's payout. */
  deal: number
  campaigns: readonly Campaign[]
  externalId: (random: Random) => string
  /** The site people come from; apps and chats send none. */
  referer: string
}

const CREATORS = ['lalo.gasta', 'vale.invierte', 'profe_centavo', 'nena.ahorra', 'tio_score', 'pau.y.punto'] as const
const CARS = ['aveo', 'versa', 'rio', 'march', 'mazda3', 'hilux', 'cr-v', 'vento'] as const
const organic = (weight: number): Campaign => ({ source: '', medium: '', campaigns: [''], weight })

/** How each affiliate marks its links: comparison sites by session, cashback by user, creators by name. */
export const habits: Record<AffiliateKey, Habit> = {
  comparaycuadra: {
    weight: 30,
    quality: 1.15,
    deal: 1.1,
    referer: 'www.comparaycuadra.example',
    externalId: (random) => `cyc-${random.hex(10)}`,
    campaigns: [
      {
        source: 'google',
        medium: 'cpc',
        campaigns: ['tarjetas_sin_anualidad', 'prestamos_en_linea', 'marca_cyc'],
        terms: ['tarjeta de credito sin anualidad', 'prestamo personal rapido', 'mejor cuenta digital'],
        contents: ['anuncio_a', 'anuncio_b'],
        weight: 5,
      },
      {
        source: 'comparador',
        medium: 'referral',
        campaigns: ['tabla_tarjetas', 'tabla_prestamos', 'ficha_producto'],
        contents: ['posicion_1', 'posicion_2', 'posicion_3'],
        weight: 6,
      },
      organic(2),
    ],
  },
  pesoapesito: {
    weight: 12,
    quality: 1.05,
    deal: 1,
    referer: 'pesoapesito.example',
    externalId: (random) => (random.chance(0.6) ? `post-${random.int(112, 386)}` : ''),
    campaigns: [
      {
        source: 'blog',
        medium: 'organic',
        campaigns: ['guia_primera_tarjeta', 'como_salir_de_deudas', 'cuentas_digitales_2026'],
        contents: ['boton_inicio', 'tabla', 'cierre'],
        weight: 6,
      },
      { source: 'pinterest', medium: 'social', campaigns: ['infografias'], weight: 1 },
      organic(2),
    ],
  },
  finanzasconlupa: {
    weight: 9,
    quality: 1.3,
    deal: 1.05,
    referer: 'finanzasconlupa.example',
    externalId: (random) => `sub_${random.int(10_000, 52_000)}`,
    campaigns: [
      {
        source: 'newsletter',
        medium: 'email',
        campaigns: ['boletin_jueves', 'especial_buen_fin'],
        contents: ['resena', 'banner_pie'],
        weight: 5,
      },
      { source: 'sitio', medium: 'organic', campaigns: ['resenas'], weight: 3 },
    ],
  },
  tuquincena: {
    weight: 14,
    quality: 0.85,
    deal: 0.95,
    referer: 'www.tuquincenarinde.example',
    externalId: (random) => (random.chance(0.5) ? `nota${random.int(80_100, 84_900)}` : ''),
    campaigns: [
      {
        source: 'tuquincenarinde',
        medium: 'display',
        campaigns: ['portada_quincena', 'patrocinado_prestamos'],
        contents: ['300x250', '728x90', 'nativo'],
        weight: 5,
      },
      { source: 'facebook', medium: 'social', campaigns: ['fb_notas'], weight: 3 },
      { source: 'google', medium: 'discover', campaigns: ['notas'], weight: 2 },
    ],
  },
  onceveinte: {
    weight: 17,
    quality: 0.8,
    deal: 0.9,
    referer: '',
    externalId: (random) => `${random.pick(CREATORS)}-${random.pick(['ig', 'tt', 'yt'])}`,
    campaigns: [
      {
        source: 'tiktok',
        medium: 'influencer',
        campaigns: ['reto_sin_deudas', 'mi_primera_tarjeta'],
        contents: ['video_30s', 'bio'],
        weight: 6,
      },
      {
        source: 'instagram',
        medium: 'influencer',
        campaigns: ['reto_sin_deudas', 'regreso_a_clases'],
        contents: ['historia', 'carrusel', 'bio'],
        weight: 5,
      },
      {
        source: 'youtube',
        medium: 'influencer',
        campaigns: ['resenas_largas'],
        contents: ['descripcion', 'comentario_fijado'],
        weight: 2,
      },
    ],
  },
  marchante: {
    weight: 8,
    quality: 1.1,
    deal: 0.85,
    referer: 'marchantedigital.example',
    externalId: (random) => String(random.int(2_400_000, 2_999_999)),
    campaigns: [
      {
        source: 'marchante',
        medium: 'cashback',
        campaigns: ['tienda_finanzas', 'push_viernes'],
        contents: ['app', 'web'],
        weight: 4,
      },
      { source: 'whatsapp', medium: 'social', campaigns: ['canal_ofertas'], weight: 1 },
    ],
  },
  ruedas: {
    weight: 7,
    quality: 1.2,
    deal: 1.1,
    referer: 'www.ruedasycredito.example',
    externalId: (random) => `cot-${random.pick(CARS)}-${random.int(15, 40)}e-${random.int(1000, 9999)}`,
    campaigns: [
      {
        source: 'cotizador',
        medium: 'referral',
        campaigns: ['cotizador_auto'],
        contents: ['resultado', 'correo_seguimiento'],
        weight: 5,
      },
      {
        source: 'google',
        medium: 'cpc',
        campaigns: ['credito_seminuevos'],
        terms: ['credito auto seminuevo', 'enganche bajo'],
        weight: 3,
      },
    ],
  },
  mafer: {
    weight: 5,
    quality: 0.95,
    deal: 1,
    referer: 'maferolvera.example',
    externalId: (random) => (random.chance(0.7) ? `ig_historia_${random.int(1, 60)}` : ''),
    campaigns: [
      {
        source: 'instagram',
        medium: 'social',
        campaigns: ['historias_mafer', 'en_vivo_domingo'],
        contents: ['sticker', 'bio'],
        weight: 4,
      },
      { source: 'telegram', medium: 'social', campaigns: ['comunidad'], weight: 1 },
    ],
  },
}

export const agents = [
  ['Chrome Android', 46],
  ['Safari iOS', 19],
  ['Chrome Windows', 17],
  ['Instagram Android', 6],
  ['Samsung Internet Android', 5],
  ['Edge Windows', 4],
  ['Facebook Android', 3],
] as const

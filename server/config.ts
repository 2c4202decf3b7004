import { isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { EMAIL_PATTERN } from '#contract/fields.ts'
import { OperatorError } from '#db/operator-error.ts'
import {
  DatabaseAddress,
  Host,
  listOf,
  Origin,
  SENDER,
  Secret,
  SupportAddress,
  Switch,
  WebAddress,
  whole,
} from './config-fields.ts'
import type { Operator } from './legal/documents.ts'
import type { RetentionPeriods } from './privacy/retention.ts'

const LogLevel = z.enum(
  ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'],
  'debe ser silent, fatal, error, warn, info, debug o trace',
)

/** The server that takes our mail, and in whose name it is sent. */
export interface Mailing {
  url: string
  from: string
}

export interface Config {
  host: string
  port: number
  /** Our public address, used in tracking links. No closing slash. */
  publicUrl: string
  /** Undefined: the embedded PostgreSQL. */
  databaseUrl: string | undefined
  /** As whom the server works; undefined: as a role that it makes itself. */
  databaseAppUrl: string | undefined
  /** Whether it is ready only while a commit waits for another machine. */
  requireSync: boolean
  dataDir: string
  /** Space for clicks that the database does not take in time. */
  spoolMegabytes: number
  /** Of one file that an issuer uploads. */
  importMegabytes: number
  /** For so many days after it was applied a file can be undone. */
  importUndoDays: number
  /** Of one user; of the systems of one issuer. */
  requestsPerSecond: number
  demo: boolean
  admin: { email: string; password: string } | undefined
  /** Key material. Empty only with the embedded database, until main.ts has read or made the one in dataDir. */
  secret: string
  corsOrigins: string[]
  /** Where our pages may call an API besides here, for a `urlBase` that leads there (D63). */
  apiOrigins: string[]
  /** Where people find help: a page, a mail address, a telephone. */
  supportUrl: string | undefined
  /** Undefined: no mail is sent, and links are shown to who asks for them. */
  mailing: Mailing | undefined
  /** Who answers for the site, and texts of their own in place of ours. */
  legal: Operator & { privacyFile: string | undefined; termsFile: string | undefined }
  /** Other tools whose boards may be shown inside our pages (D61). */
  dashboardOrigins: string[]
  /** How long what is of people is kept (security 2.11). */
  retention: RetentionPeriods
  /** Number of proxies in front of us whose X-Forwarded-For is believed. */
  trustProxy: number
  /** Whether affiliates find only the issuers they work with in the directory, or every active one. */
  issuerDirectory: 'related' | 'all'
  /** Whether companies change their own people. */
  selfServicePeople: boolean
  /** Whether postbacks and webhooks may lead to 127.0.0.1, for trials on one machine. */
  deliverToLoopback: boolean
  logLevel: z.infer<typeof LogLevel>
  /** Where metrics are served; undefined: nowhere. */
  metrics: { host: string; port: number } | undefined
}

export type Env = Record<string, string | undefined>

const Variables = z.object({
  HOST: Host.default('127.0.0.1'),
  PORT: whole(0, 65_535).default(3000),
  METRICS_HOST: Host.default('127.0.0.1'),
  METRICS_PORT: whole(1, 65_535).optional(),
  PUBLIC_URL: WebAddress.optional(),
  DATABASE_URL: DatabaseAddress.optional(),
  DATABASE_APP_URL: DatabaseAddress.optional(),
  REQUIRE_SYNC: Switch.optional(),
  DATA_DIR: z.string().default('.data'),
  SPOOL_MB: whole(1, 100_000).default(256),
  IMPORT_MB: whole(1, 4_096).default(256),
  IMPORT_UNDO_DAYS: whole(1, 365).default(30),
  REQUESTS_PER_SECOND: whole(1, 100_000).default(100), // D67
  DEMO: Switch.optional(),
  ADMIN_EMAIL: z
    .string()
    .trim()
    .toLowerCase()
    .max(254)
    .regex(EMAIL_PATTERN, 'debe ser un correo electrónico')
    .optional(),
  ADMIN_PASSWORD: z
    .string()
    .min(8, 'debe tener al menos 8 caracteres')
    .max(128, 'no puede exceder 128 caracteres')
    .optional(),
  SECRET: Secret.optional(),
  CORS_ORIGINS: listOf(Origin),
  API_ORIGINS: listOf(Origin),
  DASHBOARD_ORIGINS: listOf(Origin.refine((origin) => origin.startsWith('https:'), 'solo admite orígenes https://')),
  SUPPORT_URL: SupportAddress.optional(),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, message: 'debe tener la forma smtps://usuario:contraseña@equipo:465' })
    .optional(),
  MAIL_FROM: z
    .string()
    .trim()
    .max(300, 'no puede exceder 300 caracteres')
    .regex(SENDER, 'debe ser un correo, o un nombre con su correo: Afluente <avisos@ejemplo.mx>')
    .optional(),
  LEGAL_NAME: z.string().trim().max(200, 'no puede exceder 200 caracteres').optional(),
  LEGAL_ADDRESS: z.string().trim().max(500, 'no puede exceder 500 caracteres').optional(),
  LEGAL_EMAIL: z.email('debe ser un correo electrónico').optional(),
  PRIVACY_FILE: z.string().optional(),
  TERMS_FILE: z.string().optional(),
  RETENTION_REJECTED_DAYS: whole(1, 3650).default(90),
  RETENTION_ADDRESS_DAYS: whole(1, 3650).default(30),
  RETENTION_DATA_MONTHS: whole(1, 600).default(24),
  RETENTION_RECORD_YEARS: whole(5, 50).default(5), // tax law asks for five
  TRUST_PROXY: whole(0, 10).default(0),
  ISSUER_DIRECTORY: z.enum(['related', 'all'], 'debe ser related o all').default('related'),
  SELF_SERVICE_PEOPLE: Switch.default(true),
  DELIVER_TO_LOOPBACK: Switch.default(false),
  LOG_LEVEL: LogLevel.default('info'),
})

/** An empty variable is an unset one: compose files and unit files write `PORT=`. */
const withoutEmpty = (env: Env) => Object.fromEntries(Object.entries(env).filter(([, value]) => value))

/** podman and docker take an `--env-file` letter by letter; systemd, compose and shells take the quotes off. */
const QUOTED = /^(['"]).*\1$/s

function explain(issues: z.core.$ZodIssue[], env: Env): OperatorError {
  const texts = issues.map((issue) => {
    const name = String(issue.path[0])
    return `${name} ${issue.message}${QUOTED.test(env[name] ?? '') ? ', sin comillas' : ''}`
  })
  return new OperatorError(`Configuración incorrecta: ${[...new Set(texts)].join('; ')}.`)
}

/** Where it is reached on its own machine. The wildcard address cannot be published. */
export function localAddress(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`
}

const LOOPBACK = /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i

/** Our own database, and no way for others to reach us: only there may everybody know a password (D81). */
const isOnlyHere = ({ DATABASE_URL, HOST, PUBLIC_URL, TRUST_PROXY }: z.output<typeof Variables>): boolean =>
  DATABASE_URL === undefined &&
  TRUST_PROXY === 0 &&
  LOOPBACK.test(HOST) &&
  (PUBLIC_URL === undefined || LOOPBACK.test(new URL(PUBLIC_URL).hostname))

type Values = Omit<z.output<typeof Variables>, 'ADMIN_EMAIL' | 'ADMIN_PASSWORD'>

const legalOf = (values: Values): Config['legal'] => ({
  name: values.LEGAL_NAME,
  address: values.LEGAL_ADDRESS,
  email: values.LEGAL_EMAIL,
  privacyFile: values.PRIVACY_FILE,
  termsFile: values.TERMS_FILE,
})

function mailingOf({ SMTP_URL: url, MAIL_FROM: from }: Values): Mailing | undefined {
  if (!url !== !from) throw new OperatorError('SMTP_URL y MAIL_FROM se indican juntas o ninguna.')
  return url && from ? { url, from } : undefined
}

function periodsOf(values: Values): RetentionPeriods {
  if (values.RETENTION_DATA_MONTHS > 12 * values.RETENTION_RECORD_YEARS)
    throw new OperatorError('RETENTION_DATA_MONTHS no puede pasar de RETENTION_RECORD_YEARS.')
  return {
    rejectedDays: values.RETENTION_REJECTED_DAYS,
    addressDays: values.RETENTION_ADDRESS_DAYS,
    dataMonths: values.RETENTION_DATA_MONTHS,
    recordYears: values.RETENTION_RECORD_YEARS,
  }
}

function expectDatabase(values: Values): void {
  if (values.DATABASE_URL && !values.SECRET) {
    throw new OperatorError('Con DATABASE_URL hace falta SECRET: un texto al azar (openssl rand -hex 32).')
  }
  if (values.REQUIRE_SYNC && !values.DATABASE_URL) {
    throw new OperatorError('REQUIRE_SYNC es para DATABASE_URL: la base incluida no tiene réplicas.')
  }
  if (values.DATABASE_APP_URL && !values.DATABASE_URL) {
    throw new OperatorError('DATABASE_APP_URL acompaña a DATABASE_URL, con la que se crean las tablas.')
  }
}

/** Throws an OperatorError with a Spanish text when a value is bad. */
export function readConfig(env: Env): Config {
  const result = Variables.safeParse(withoutEmpty(env))
  if (!result.success) throw explain(result.error.issues, env)
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password, ...values } = result.data
  if (!email !== !password) throw new OperatorError('ADMIN_EMAIL y ADMIN_PASSWORD se indican juntas o ninguna.')
  if (values.METRICS_PORT === values.PORT) throw new OperatorError('METRICS_PORT y PORT deben ser puertos distintos.')
  expectDatabase(values)
  return {
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL ?? localAddress(values.HOST, values.PORT),
    databaseUrl: values.DATABASE_URL,
    databaseAppUrl: values.DATABASE_APP_URL,
    requireSync: values.REQUIRE_SYNC ?? false,
    dataDir: resolve(values.DATA_DIR),
    spoolMegabytes: values.SPOOL_MB,
    importMegabytes: values.IMPORT_MB,
    importUndoDays: values.IMPORT_UNDO_DAYS,
    requestsPerSecond: values.REQUESTS_PER_SECOND,
    demo: values.DEMO ?? isOnlyHere(values),
    admin: email && password ? { email, password } : undefined,
    secret: values.SECRET ?? '',
    corsOrigins: values.CORS_ORIGINS,
    apiOrigins: values.API_ORIGINS,
    dashboardOrigins: values.DASHBOARD_ORIGINS,
    issuerDirectory: values.ISSUER_DIRECTORY,
    supportUrl: values.SUPPORT_URL,
    mailing: mailingOf(values),
    legal: legalOf(values),
    retention: periodsOf(values),
    trustProxy: values.TRUST_PROXY,
    selfServicePeople: values.SELF_SERVICE_PEOPLE,
    deliverToLoopback: values.DELIVER_TO_LOOPBACK,
    logLevel: values.LOG_LEVEL,
    metrics: values.METRICS_PORT ? { host: values.METRICS_HOST, port: values.METRICS_PORT } : undefined,
  }
}

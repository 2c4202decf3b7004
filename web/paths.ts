// No imports: the landing page loads this file too.

/** Every address of the application, once. */
export const paths = {
  home: '/',
  landing: '/landing',
  login: '/login',
  /** With a link behind the hash; without one it can be asked for. */
  access: '/acceso',
  /** Documents of the server's own (server/legal). */
  privacy: '/aviso-de-privacidad',
  terms: '/terminos',
  dashboard: '/app/dashboard',
  unauthorized: '/app/unauthorized',
  /** Our own pages of figures, for who frames them elsewhere; a dashboard draws them itself. */
  boards: {
    network: '/embed/red',
    performance: '/embed/rendimiento',
    funnel: '/embed/embudo',
    commissions: '/embed/comisiones',
  },
  admin: {
    dashboard: '/app/admin/dashboard',
    affiliates: '/app/admin/affiliates',
    issuers: '/app/admin/issuers',
    relationships: '/app/admin/relationships',
    products: '/app/admin/products',
    events: '/app/admin/events',
    users: '/app/admin/users',
    leads: '/app/admin/leads',
    approvals: '/app/admin/approvals',
    imports: '/app/admin/reconciliation',
    payments: '/app/admin/payments',
    adjustments: '/app/admin/adjustments',
    commissions: '/app/admin/commissions',
    results: '/app/admin/results',
    settings: '/app/admin/settings',
    audit: '/app/admin/audit',
    privacy: '/app/admin/privacy',
    terms: '/app/admin/terms',
    reasons: '/app/admin/reasons',
    receivers: '/app/admin/webhooks',
    dashboards: '/app/admin/dashboards',
    mail: '/app/admin/mail',
    keys: '/app/admin/keys',
  },
  issuer: {
    dashboard: '/app/issuer/dashboard',
    products: '/app/issuer/products',
    commissions: '/app/issuer/commissions',
    events: '/app/issuer/events',
    payments: '/app/issuer/payments',
    adjustments: '/app/issuer/adjustments',
    affiliates: '/app/issuer/affiliates',
    settings: '/app/issuer/settings',
    integration: '/app/issuer/integration',
    people: '/app/issuer/people',
    receivers: '/app/issuer/webhooks',
    leads: '/app/issuer/leads',
    approvals: '/app/issuer/approvals',
    imports: '/app/issuer/reconciliation',
    results: '/app/issuer/results',
  },
  affiliate: {
    dashboard: '/app/affiliate/dashboard',
    campaigns: '/app/affiliate/campaigns',
    products: '/app/affiliate/products',
    events: '/app/affiliate/events',
    leads: '/app/affiliate/leads',
    results: '/app/affiliate/results',
    commissions: '/app/affiliate/commissions',
    payments: '/app/affiliate/payments',
    issuers: '/app/affiliate/issuers',
    settings: '/app/affiliate/settings',
    people: '/app/affiliate/people',
    receivers: '/app/affiliate/postbacks',
  },
} as const

/** Parts of a screen that links lead to, behind the hash. */
export const places = { factors: 'dos-pasos' } as const

/** The parameters of addresses that open a row in its list: `?lead=5916`. */
export const rowParams = { lead: 'lead', payment: 'pago', file: 'archivo' } as const

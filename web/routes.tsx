import type { ComponentType } from 'react'
import { createBrowserRouter, type RouteObject, redirectDocument } from 'react-router'
import { paths } from './paths.ts'
import { RouterFallback } from './shell/RouterFallback.tsx'
import { toasts } from './ui/toast.ts'

type Load = () => Promise<{ default: ComponentType }>

const load = (module: Load) => async () => {
  const { default: Component } = await module()
  return { Component }
}

/** One screen: its address and its chunk, which loads when somebody goes there. */
const screen = (path: string, module: Load): RouteObject => ({ path, lazy: load(module) })

/** With the place of its notices: that the server cannot be reached must be told to who has just lost it. */
const signIn = async () => {
  const [page] = await Promise.all([import('./auth/LoginPage.tsx'), toasts.fetch().catch(() => undefined)])
  return page
}

type Area = keyof typeof import('./shell/areas.tsx')

/** The guard and the shell around the screens of a role. */
const area = (name: Area, children: RouteObject[]): RouteObject => ({
  lazy: async () => {
    const { [name]: Component } = await import('./shell/areas.tsx')
    return { Component }
  },
  children,
})

// One line a screen.
const adminScreens: RouteObject[] = [
  screen(paths.admin.dashboard, () => import('./dashboards/AdminDashboardPage.tsx')),
  screen(paths.admin.adjustments, () => import('./adjustments/AdjustmentsPage.tsx')),
  screen(paths.admin.approvals, () => import('./ledger/ApprovalsPage.tsx')),
  screen(paths.admin.audit, () => import('./audit-log/AdminAuditPage.tsx')),
  screen(paths.admin.affiliates, () => import('./affiliates/AdminAffiliatesPage.tsx')),
  screen(paths.admin.commissions, () => import('./commissions/AdminCommissionsPage.tsx')),
  screen(paths.admin.dashboards, () => import('./dashboards/AdminDashboardsPage.tsx')),
  screen(paths.admin.events, () => import('./event-steps/AdminEventStepsPage.tsx')),
  screen(paths.admin.imports, () => import('./imports/ImportsPage.tsx')),
  screen(paths.admin.issuers, () => import('./issuers/AdminIssuersPage.tsx')),
  screen(paths.admin.keys, () => import('./network-keys/AdminNetworkKeysPage.tsx')),
  screen(paths.admin.leads, () => import('./leads/AdminLeadsPage.tsx')),
  screen(paths.admin.mail, () => import('./mail/AdminMailPage.tsx')),
  screen(paths.admin.payments, () => import('./payments/AdminPaymentsPage.tsx')),
  screen(paths.admin.privacy, () => import('./privacy/AdminPrivacyPage.tsx')),
  screen(paths.admin.products, () => import('./products/AdminProductsPage.tsx')),
  screen(paths.admin.reasons, () => import('./rulings/AdminReasonsPage.tsx')),
  screen(paths.admin.receivers, () => import('./receivers/ReceiversPage.tsx')),
  screen(paths.admin.relationships, () => import('./relationships/AdminRelationshipsPage.tsx')),
  screen(paths.admin.results, () => import('./results/ResultsPage.tsx')),
  screen(paths.admin.settings, () => import('./settings/AdminSettingsPage.tsx')),
  screen(paths.admin.terms, () => import('./terms/AdminTermsPage.tsx')),
  screen(paths.admin.users, () => import('./users/AdminUsersPage.tsx')),
]

const issuerScreens: RouteObject[] = [
  screen(paths.issuer.adjustments, () => import('./adjustments/AdjustmentsPage.tsx')),
  screen(paths.issuer.affiliates, () => import('./affiliates/IssuerAffiliatesPage.tsx')),
  screen(paths.issuer.approvals, () => import('./ledger/ApprovalsPage.tsx')),
  screen(paths.issuer.commissions, () => import('./commissions/IssuerCommissionsPage.tsx')),
  screen(paths.issuer.dashboard, () => import('./dashboards/IssuerDashboardPage.tsx')),
  screen(paths.issuer.events, () => import('./event-steps/IssuerEventStepsPage.tsx')),
  screen(paths.issuer.imports, () => import('./imports/ImportsPage.tsx')),
  screen(paths.issuer.integration, () => import('./integration/IssuerIntegrationPage.tsx')),
  screen(paths.issuer.leads, () => import('./leads/IssuerLeadsPage.tsx')),
  screen(paths.issuer.payments, () => import('./payments/IssuerPaymentsPage.tsx')),
  screen(paths.issuer.people, () => import('./people/PeoplePage.tsx')),
  screen(paths.issuer.products, () => import('./products/IssuerProductsPage.tsx')),
  screen(paths.issuer.receivers, () => import('./receivers/ReceiversPage.tsx')),
  screen(paths.issuer.results, () => import('./results/ResultsPage.tsx')),
  screen(paths.issuer.settings, () => import('./settings/IssuerSettingsPage.tsx')),
]

const affiliateScreens: RouteObject[] = [
  screen(paths.affiliate.campaigns, () => import('./dashboards/AffiliateCampaignsPage.tsx')),
  screen(paths.affiliate.commissions, () => import('./ledger/AffiliateEntriesPage.tsx')),
  screen(paths.affiliate.dashboard, () => import('./dashboards/AffiliateDashboardPage.tsx')),
  screen(paths.affiliate.events, () => import('./event-steps/AffiliateEventStepsPage.tsx')),
  screen(paths.affiliate.issuers, () => import('./issuers/AffiliateIssuersPage.tsx')),
  screen(paths.affiliate.leads, () => import('./leads/AffiliateLeadsPage.tsx')),
  screen(paths.affiliate.payments, () => import('./payments/AffiliatePaymentsPage.tsx')),
  screen(paths.affiliate.people, () => import('./people/PeoplePage.tsx')),
  screen(paths.affiliate.receivers, () => import('./receivers/ReceiversPage.tsx')),
  screen(paths.affiliate.products, () => import('./products/AffiliateProductsPage.tsx')),
  screen(paths.affiliate.results, () => import('./results/ResultsPage.tsx')),
  screen(paths.affiliate.settings, () => import('./settings/AffiliateSettingsPage.tsx')),
]

const boards: RouteObject[] = [
  screen(paths.boards.commissions, () => import('./boards/CommissionsBoard.tsx')),
  screen(paths.boards.funnel, () => import('./boards/FunnelBoard.tsx')),
  screen(paths.boards.network, () => import('./boards/NetworkBoard.tsx')),
  screen(paths.boards.performance, () => import('./boards/PerformanceBoard.tsx')),
]

export const router = createBrowserRouter([
  {
    errorElement: <RouterFallback />,
    children: [
      {
        lazy: load(() => import('./shell/Providers.tsx')),
        children: [
          screen(paths.login, signIn),
          screen(paths.access, () => import('./access-links/AccessPage.tsx')),
          area('SignedInArea', [
            screen(paths.dashboard, () => import('./shell/DashboardRedirect.tsx')),
            screen(paths.unauthorized, () => import('./auth/UnauthorizedPage.tsx')),
          ]),
          area('AdminArea', adminScreens),
          area('IssuerArea', issuerScreens),
          area('AffiliateArea', affiliateScreens),
          { lazy: load(() => import('./boards/BoardArea.tsx')), children: boards },
        ],
      },
      // A document of its own, which the server sends: no script draws it.
      ...[paths.home, paths.landing].map((path) => ({ path, loader: () => redirectDocument(path) })),
      screen('*', () => import('./shell/NotFoundPage.tsx')),
    ],
  },
])

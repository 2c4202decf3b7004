import { paths } from './paths.ts'
import { fetchTheRest } from './ui/later-part.ts'

/** What most people see first after they sign in; whose account it is shows only then. */
const firstScreens = async () => {
  await Promise.all([
    import('./shell/areas.tsx'),
    import('./dashboards/AdminDashboardPage.tsx'),
    import('./dashboards/IssuerDashboardPage.tsx'),
    import('./dashboards/AffiliateDashboardPage.tsx'),
  ])
  await Promise.all([import('./boards/PerformanceBoard.tsx'), import('./charts/SeriesChart.tsx')])
  await fetchTheRest()
}

/** Fetches the first screens while somebody types at the sign-in, so that they are not waited for afterwards. */
export function fetchFirstScreens(): void {
  if (location.pathname.replace(/\/$/, '') !== paths.login) return
  const start = () => {
    // What is missing is fetched again by the screen that needs it, which says so when it cannot be had.
    firstScreens().catch(() => undefined)
    for (const event of STARTS) removeEventListener(event, start, true)
  }
  for (const event of STARTS) addEventListener(event, start, true)
}

const STARTS = ['input', 'pointerdown'] as const

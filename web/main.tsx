import './styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { joinOpenTabs } from './api/open-tabs.ts'
import { isFramed } from './boards/framed.ts'
import { fetchFirstScreens } from './first-screens.ts'
import { paths } from './paths.ts'
import { router } from './routes.tsx'
import { theme } from './shell/theme.ts'
import { surviveTranslation } from './translated.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')

const draw = (place: Element) =>
  createRoot(place).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  )

/** Waiting for the first screen: rendering earlier would replace the prerendered page by an empty one. */
const loaded = new Promise<void>((resolve) => {
  if (router.state.initialized) return resolve()
  const stop = router.subscribe(({ initialized }) => {
    if (!initialized) return
    stop()
    resolve()
  })
})

surviveTranslation()
theme.follow()
fetchFirstScreens()
const path = location.pathname.replace(/\/$/, '')
// A link to choose a password is for somebody who may not be who sits at the other tabs.
const joined = isFramed() ? undefined : joinOpenTabs(path !== paths.access)
// The sign-in stands there already, and goes on when another tab answers.
void Promise.all([loaded, path === paths.login ? undefined : joined]).then(() => draw(root))

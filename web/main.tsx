import './styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { fetchFirstScreens } from './first-screens.ts'
import { router } from './routes.tsx'
import { theme } from './shell/theme.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')

const draw = (place: Element) =>
  createRoot(place).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  )

theme.follow()
fetchFirstScreens()
// Wait for the screen: rendering earlier would replace the prerendered page by an empty one.
if (router.state.initialized) draw(root)
else {
  const stop = router.subscribe(({ initialized }) => {
    if (!initialized) return
    stop()
    draw(root)
  })
}

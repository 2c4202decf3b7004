import { renderToStaticMarkup } from 'react-dom/server'
import { LandingPage } from './LandingPage.tsx'

/** The page as text: nothing of it is drawn by a script. */
export const render = (): string => renderToStaticMarkup(<LandingPage />)

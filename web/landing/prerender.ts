import { type Plugin, runnerImport } from 'vite'

const PLACE = '<!-- the page -->'

/** Draws the landing page into landing.html while the web is built, and at its addresses while it is developed. */
export const prerenderLanding: Plugin = {
  name: 'prerender-landing',
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      if (/^\/(landing\/?)?([?#]|$)/.test(request.url ?? '')) request.url = '/landing.html'
      next()
    })
  },
  transformIndexHtml: {
    // Before Vite reads the page, so that its pictures become hashed files like those of any other page.
    order: 'pre',
    async handler(html, { filename }) {
      if (!filename.endsWith('landing.html')) return html
      const { module } = await runnerImport<typeof import('./render.tsx')>(`${import.meta.dirname}/render.tsx`)
      return html.replace(PLACE, () => module.renderLanding())
    },
  },
}

import { basename } from 'node:path'
import { type HtmlTagDescriptor, type Plugin, runnerImport } from 'vite'

const PLACE = '<!-- the page -->'

/** The markup rendered into a page at build time, and the chunks that its first script would ask for once it runs. */
const pages: Record<string, { render?: string; soon?: string[] }> = {
  'landing.html': { render: 'landing/render.tsx' },
  'login.html': { render: 'auth/render.tsx', soon: ['Providers', 'LoginPage', 'forms'] },
  'index.html': { soon: ['Providers', 'lists', 'icons', 'screens'] },
}

const preload = (file: string): HtmlTagDescriptor => ({
  tag: 'link',
  injectTo: 'head',
  attrs: { rel: 'modulepreload', fetchpriority: 'low', crossorigin: true, href: `/${file}` },
})

/** Renders pages at build time, and on request in development. */
export const prerender: Plugin[] = [
  {
    name: 'prerender',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const asked = /^\/(landing|login)?\/?(?:[?#]|$)/.exec(request.url ?? '')
        if (asked) request.url = `/${asked[1] ?? 'landing'}.html`
        next()
      })
    },
    transformIndexHtml: {
      // Before Vite reads the page, so that its pictures get hashed names, too.
      order: 'pre',
      async handler(html, { filename }) {
        const page = pages[basename(filename)]
        if (!page?.render) return html
        const file = `${import.meta.dirname}/${page.render}`
        const { module } = await runnerImport<{ render: () => string }>(file)
        return html.replace(PLACE, () => module.render())
      },
    },
  },
  {
    name: 'preload-soon',
    transformIndexHtml: {
      order: 'post',
      handler(html, { filename, bundle = {} }) {
        const { render, soon } = pages[basename(filename)] ?? {}
        if (!soon) return html
        const tags = Object.values(bundle).flatMap((file) =>
          file.type === 'chunk' && soon.includes(file.name) ? [preload(file.fileName)] : [],
        )
        if (!render) return { html, tags }
        // The rendered markup needs its style and its font first.
        return { html: html.replaceAll('<script type="module"', '<script type="module" fetchpriority="low"'), tags }
      },
    },
  },
]

import { readFileSync } from 'node:fs'
import MarkdownIt from 'markdown-it'
import { clientPath, type Guide, guidePath, guides } from '#contract/clients.ts'
import { type Links, renderFrame } from './frame.ts'
import { Html, html } from './html.ts'

const markdown = new MarkdownIt()

/** A guide names its neighbours as files of the repository. */
const { normalizeLink } = markdown
markdown.normalizeLink = (to) =>
  normalizeLink(
    to
      .replace(/^([\w-]+)\.md\b/, (_, name: string) => guidePath(name))
      .replace(/^clients\/(.+)/, (_, file: string) => clientPath(file)),
  )

// Long lines scroll, which a keyboard must be able to do.
markdown.renderer.rules.fence = (tokens, at) =>
  html`<pre tabindex="0"><code>${tokens[at]?.content ?? ''}</code></pre>\n`.text

/** Each guide, as a page, under its path. */
export const renderGuides = (links: Links): [path: string, page: string][] =>
  (Object.keys(guides) as Guide[]).map((guide) => {
    const main = new Html(markdown.render(readFileSync(new URL(`./${guide}.md`, import.meta.url), 'utf8')))
    const path = guidePath(guide)
    return [path, renderFrame({ title: `${guides[guide]} | API de Afluente`, path, main, links })]
  })

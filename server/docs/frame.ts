import { clientFiles, clientPath, guidePath, guides } from '#contract/clients.ts'
import { Html, html, type Part } from './html.ts'
import { info } from './info.ts'

export interface Links {
  reference: string
  document: string
  style: string
  preload: string
}

interface Frame {
  title: string
  path: string
  sections?: Html
  main: Html
  links: Links
}

/** What stands around each text of the documentation. No scripts. */
export const renderFrame = ({ title, path, sections, main, links }: Frame): string =>
  html`<!doctype html>
<html lang="es-MX">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${new Html(links.preload)}
<link rel="stylesheet" href="${links.style}">
</head>
<body>
<a class="skip" href="#contenido">Ir al contenido</a>
<nav aria-label="Secciones">
<p class="brand"><a href="/"><img src="/favicon.svg" alt="" width="28" height="28">Afluente</a> <small>API v${info.version}</small></p>
<ul class="pages">${pagesOf(links).map(([to, name]) => html`<li>${linkTo(to, name, path)}</li>`)}</ul>
${sections ?? ''}
<p><a href="${links.document}">OpenAPI 3.1</a>${Object.entries(clientFiles).map(([file, label]) => html`<br><a href="${clientPath(file)}">${label}</a>`)}</p>
</nav>
<main id="contenido">
${main}
</main>
</body>
</html>
`.text

const pagesOf = ({ reference }: Links): [path: string, name: string][] => [
  [reference, 'Referencia'],
  ...Object.entries(guides).map(([guide, name]): [string, string] => [guidePath(guide), name]),
]

const linkTo = (to: string, name: string, path: string): Part =>
  to === path ? html`<a href="${to}" aria-current="page">${name}</a>` : html`<a href="${to}">${name}</a>`

import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { escaped } from '../http/escaped.ts'
import type { Font } from '../http/font.ts'
import type { LegalText } from './documents.ts'

export const PRIVACY_PATH = '/aviso-de-privacidad'
export const TERMS_PATH = '/terminos'

const rules = readFileSync(new URL('./legal.css', import.meta.url), 'utf8')
const styleOf = ({ css }: Font): string => css + rules

/** A page of text: one style sheet, one font and the logo, no scripts, no framing. */
export const legalHeaders = (font: Font) => ({
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', styleOf(font), 'base64')}'`,
    "img-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
})

const NOTICE =
  '<p class="notice" role="note">Este documento está incompleto: quien opera este sitio aún no ha indicado todos sus datos de identidad y contacto.</p>\n'

interface LegalPage {
  title: string
  path: string
  publicUrl: string
  text: LegalText
  font: Font
}

/** A text without a heading of its own gets the page's. */
export const renderLegalPage = ({ title, path, publicUrl, text, font }: LegalPage): string => `<!doctype html>
<html lang="es-MX">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} | Afluente</title>
<link rel="canonical" href="${escaped(publicUrl)}${path}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${font.preload}
<style>${styleOf(font)}</style>
</head>
<body>
<header><a class="brand" href="/" aria-label="Afluente, página de inicio"><img src="/favicon.svg" alt="" width="28" height="28">Afluente</a></header>
<main>
${text.incomplete ? NOTICE : ''}${text.html.includes('<h1') ? '' : `<h1>${title}</h1>\n`}${text.html}</main>
<footer><nav aria-label="Pie de página"><ul>
<li><a href="${PRIVACY_PATH}"${current(path, PRIVACY_PATH)}>Aviso de privacidad</a></li>
<li><a href="${TERMS_PATH}"${current(path, TERMS_PATH)}>Términos y condiciones</a></li>
<li><a href="/login">Iniciar sesión</a></li>
</ul></nav></footer>
</body>
</html>
`

const current = (path: string, own: string) => (path === own ? ' aria-current="page"' : '')

import { type LinkPurpose, linkTerms } from '#contract/access-links.ts'
import { escaped } from '../http/escaped.ts'

export interface Letter {
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
}

interface Facts {
  firstName: string
  link: string
  publicUrl: string
}

const contents: Record<LinkPurpose, { subject: string; lines: string[]; button: string; after: string }> = {
  invite: {
    subject: 'Tu acceso a Afluente',
    lines: ['Ya tienes una cuenta en Afluente. Elige tu contraseña para entrar.'],
    button: 'Elegir mi contraseña',
    after: `El enlace sirve una vez y durante ${linkTerms.invite}. Si no esperabas esta invitación, no hagas nada.`,
  },
  reset: {
    subject: 'Elige otra contraseña',
    lines: ['Alguien pidió un enlace para elegir otra contraseña de tu cuenta en Afluente.'],
    button: 'Elegir otra contraseña',
    after: `El enlace sirve una vez y durante ${linkTerms.reset}. Si no lo pediste, no hagas nada: tu contraseña sigue igual.`,
  },
}

/** Made when it is sent. The names in it come from people, so the HTML escapes everything. */
export function drawLetter(kind: LinkPurpose, { firstName, link, publicUrl }: Facts): Letter {
  const { subject, lines, button, after } = contents[kind]
  const greeting = `Hola, ${firstName}:`
  const text = [greeting, ...lines, link, after, `Afluente · ${publicUrl}`].join('\n\n')
  const html = layout(subject, [
    ...[greeting, ...lines].map(paragraph),
    `<p style="margin:24px 0"><a href="${escaped(link)}" style="${BUTTON}">${escaped(button)}</a></p>`,
    paragraph(after),
    `<p style="${SMALL}">Si el botón no abre, copia esta dirección: <br>${escaped(link)}</p>`,
    `<p style="${SMALL}">Afluente · ${escaped(publicUrl)}</p>`,
  ])
  return { subject, text, html }
}

interface Said {
  subject: string
  firstName: string
  sentences: string[]
  /** How many are left out. */
  more: number
  publicUrl: string
  /** Where its reader chooses what comes by mail. */
  settings: string
  /** Where mail programs stop it at a click (RFC 8058). */
  stop: string
}

/** A letter that says what happened. Names in it come from people, so the HTML escapes everything. */
export function drawSentences({ subject, firstName, sentences, more, publicUrl, settings, stop }: Said): Letter {
  const greeting = `Hola, ${firstName}:`
  const all = more ? [...sentences, `Y ${more} más en Afluente.`] : sentences
  const text = [
    greeting,
    all.map((sentence) => `- ${sentence}`).join('\n'),
    publicUrl,
    `Elige qué correos recibes: ${settings}`,
    `Deja de recibirlos: ${stop}`,
  ].join('\n\n')
  const html = layout(subject, [
    paragraph(greeting),
    `<ul style="margin:0 0 12px;padding-left:20px">${all.map((sentence) => `<li style="margin:0 0 8px">${escaped(sentence)}</li>`).join('')}</ul>`,
    `<p style="margin:24px 0"><a href="${escaped(publicUrl)}" style="${BUTTON}">Abrir Afluente</a></p>`,
    `<p style="${SMALL}"><a href="${escaped(settings)}">Elige qué correos recibes</a> · <a href="${escaped(stop)}">Deja de recibirlos</a></p>`,
  ])
  const headers = { 'List-Unsubscribe': `<${stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
  return { subject, text, html, headers }
}

// Mail programs read styles of elements alone.
const PAGE = 'margin:0;padding:24px;background:#f4f6f7;color:#16242b;font:16px/1.5 system-ui,Arial,sans-serif'
const CARD = 'max-width:520px;margin:0 auto;padding:28px;background:#fff;border:1px solid #dbe2e5;border-radius:12px'
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:8px;background:#0b6b75;color:#fff;text-decoration:none'
const SMALL = 'margin:16px 0 0;color:#5a6b73;font-size:13px;word-break:break-all'

const layout = (title: string, parts: string[]): string => `<!doctype html>
<html lang="es-MX"><head><meta charset="utf-8"><title>${escaped(title)}</title></head>
<body style="${PAGE}"><div style="${CARD}">
${parts.join('\n')}
</div></body></html>
`

const paragraph = (text: string): string => `<p style="margin:0 0 12px">${escaped(text)}</p>`

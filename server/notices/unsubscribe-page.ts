import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '#db/connect.ts'
import { findFont } from '../http/font.ts'
import type { App } from '../http/http.ts'
import { parseQuery, queryOf } from '../http/input.ts'
import { legalHeaders, renderLegalPage } from '../legal/page.ts'
import { stopMail } from './choices.ts'
import { UNSUBSCRIBE_PATH, type UnsubscribeTokens } from './unsubscribe.ts'

interface Parts {
  db: Db
  tokens: UnsubscribeTokens
  publicUrl: string
}

/** Status, title and what it says. */
type Page = [number, string, string]

const SETTINGS = '<p>Lo que quieres recibir se elige en Afluente, en Configuración, «Avisos».</p>'
const texts: Record<'forged' | 'over' | 'done', Page> = {
  forged: [404, 'Este enlace no es válido', SETTINGS],
  over: [410, 'Este enlace ya venció', SETTINGS],
  done: [200, 'Ya no te enviaremos correos', `<p>Solo recibirás los de seguridad de tu cuenta.</p>${SETTINGS}`],
}

/** Opening it changes nothing, since programs that look for malware open links; the button and mail programs do. */
export function unsubscribePage(app: App, { db, tokens, publicUrl }: Parts): void {
  const font = findFont()
  const headers = Object.entries(legalHeaders(font)).map(([name, value]) => [
    name,
    value.replace("form-action 'none'", "form-action 'self'"),
  ])
  const send = (reply: FastifyReply, [status, title, html]: Page) =>
    reply
      .code(status)
      .headers({ ...Object.fromEntries(headers), 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(renderLegalPage({ title, path: UNSUBSCRIBE_PATH, publicUrl, text: { html, incomplete: false }, font }))
  const known = (request: FastifyRequest) => {
    const { t } = parseQuery(queryOf(request))
    return tokens.open(typeof t === 'string' ? t : '')
  }
  void app.register(async (scope) => {
    // A form, as browsers and mail programs send it: what it says is known.
    scope.addContentTypeParser('*', { bodyLimit: 1024, parseAs: 'string' }, (_request, _body, done) => done(null))
    scope.get(UNSUBSCRIBE_PATH, (request, reply) => {
      const found = known(request)
      if (!found || found.isOver) return send(reply, texts[found ? 'over' : 'forged'])
      const form = '<form method="post"><button>Dejar de recibir correos</button></form>'
      return send(reply, [
        200,
        'Correos de Afluente',
        `<p>Los de seguridad de tu cuenta no se pueden apagar.</p>${form}`,
      ])
    })
    scope.post(UNSUBSCRIBE_PATH, async (request, reply) => {
      const found = known(request)
      if (!found || found.isOver) return send(reply, texts[found ? 'over' : 'forged'])
      await stopMail(db, found.userId)
      return send(reply, texts.done)
    })
  })
}

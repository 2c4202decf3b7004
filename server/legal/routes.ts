import type { Config } from '../config.ts'
import { findFont } from '../http/font.ts'
import type { App } from '../http/http.ts'
import { sendPage } from '../http/page.ts'
import { readLegal, renderLegal } from './documents.ts'
import { legalHeaders, PRIVACY_PATH, renderLegalPage, TERMS_PATH } from './page.ts'

type Settings = Pick<Config, 'publicUrl' | 'legal' | 'demo' | 'retention'>

/** The two texts that the law requires to be public. Read once: a changed file counts after a restart. */
export function legalRoutes(app: App, { publicUrl, legal, demo, retention }: Settings): void {
  const documents = [
    {
      path: PRIVACY_PATH,
      title: 'Aviso de privacidad',
      text: readLegal('PRIVACY_FILE', legal.privacyFile, './aviso-de-privacidad.md'),
    },
    {
      path: TERMS_PATH,
      title: 'Términos y condiciones',
      text: readLegal('TERMS_FILE', legal.termsFile, './terminos.md'),
    },
  ].map(({ text, ...document }) => ({ ...document, text: renderLegal(text, { ...legal, site: publicUrl, retention }) }))
  if (!demo && documents.some(({ text }) => text.incomplete))
    app.log.warn('El aviso de privacidad está incompleto: indica LEGAL_NAME, LEGAL_ADDRESS y LEGAL_EMAIL.')
  const font = findFont()
  const headers = legalHeaders(font)
  for (const document of documents) {
    const page = renderLegalPage({ ...document, publicUrl, font })
    app.get(document.path, { exposeHeadRoute: true }, (request, reply) => sendPage(request, reply, page, headers))
  }
}

import { existsSync, readdirSync } from 'node:fs'
import { BUILT } from './web.ts'

const LATIN = /^inter-latin-wght-normal-[\w-]+\.woff2$/

export interface Font {
  /** For the head of a page. */
  preload: string
  css: string
}

/**
 * The product's type for pages that are rendered here, from the files of the web; before the web is built there is none and
 * the page's other fonts serve. Optional, as on the landing page: text never jumps.
 */
export function findFont(root = BUILT): Font {
  const assets = `${root}assets`
  const file = existsSync(assets) ? readdirSync(assets).find((name) => LATIN.test(name)) : undefined
  if (!file) return { preload: '', css: '' }
  const url = `/assets/${file}`
  return {
    preload: `<link rel="preload" as="font" type="font/woff2" crossorigin href="${url}">`,
    css: `@font-face{font-family:"Inter Variable";font-weight:100 900;font-display:optional;src:url(${url}) format("woff2")}\n`,
  }
}

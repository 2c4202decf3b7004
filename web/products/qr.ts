import encodeQR from 'qr'
import { EXTERNAL_ID_PLACEHOLDER } from '#contract/tracking.ts'

/** Bytes in the largest code of the standard, with 15 % and with 7 % error correction. */
const [SAFE_BYTES, MOST_BYTES] = [2331, 2953]

/** Light modules around the code, as the standard wants them; without them cameras do not find it. */
const QUIET = 4

const PNG_PIXELS = 1024

export interface Qr {
  /** Modules from edge to edge, the quiet zone included. */
  side: number
  /** The dark modules as an SVG path in modules. */
  path: string
}

/** The link ready to publish: on paper nobody can fill the placeholder in, and some cameras take braces for no URL. */
export function withoutPlaceholder(link: string): string {
  const url = new URL(link)
  if (url.searchParams.get('external_id') === EXTERNAL_ID_PLACEHOLDER) url.searchParams.delete('external_id')
  return url.href
}

/** Undefined when the text is longer than any code holds. */
export function drawQr(text: string): Qr | undefined {
  const bytes = new TextEncoder().encode(text).length
  if (bytes > MOST_BYTES) return undefined
  const modules = encodeQR(text, 'raw', { ecc: bytes > SAFE_BYTES ? 'low' : 'medium', border: QUIET })
  return { side: modules.length, path: modules.map(rowPath).join('') }
}

/** One rectangle for every run of dark modules. */
const rowPath = (row: boolean[], y: number): string =>
  [
    ...row
      .map((dark) => (dark ? '1' : '0'))
      .join('')
      .matchAll(/1+/g),
  ]
    .map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`)
    .join('')

export const svgFile = ({ side, path }: Qr): Blob =>
  new Blob(
    [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${PNG_PIXELS}" height="${PNG_PIXELS}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>\n`,
    ],
    { type: 'image/svg+xml' },
  )

/** Every module has the same whole number of pixels, so that no edge is blurred. */
export function pngFile({ side, path }: Qr): Promise<Blob> {
  const scale = Math.ceil(PNG_PIXELS / side)
  const canvas = new OffscreenCanvas(side * scale, side * scale)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('The browser draws no pictures')
  context.scale(scale, scale)
  context.fillStyle = '#fff'
  context.fillRect(0, 0, side, side)
  context.fillStyle = '#000'
  context.fill(new Path2D(path))
  return canvas.convertToBlob({ type: 'image/png' })
}

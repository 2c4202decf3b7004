import { Download } from 'lucide-react'
import { useDeferredValue, useMemo } from 'react'
import type { Product } from '#contract/products.ts'
import { EXTERNAL_ID_PLACEHOLDER } from '#contract/tracking.ts'
import { save } from '#web/api/download.ts'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { toast } from '#web/ui/toast.ts'
import { drawQr, pngFile, type Qr, svgFile, withoutPlaceholder } from './qr.ts'

/** Codes with more modules are hard to scan at the size of a card. */
const DENSE = 93

interface Props {
  link: string
  product: Product
}

/** The link as a code for print and screens. */
export function LinkQr({ link, product }: Props) {
  // The largest codes take long enough to be felt while typing.
  const drawn = useDeferredValue(link)
  const code = useMemo(() => drawQr(withoutPlaceholder(drawn)), [drawn])
  if (!code)
    return (
      <p role="status" className="text-danger-ink">
        El enlace es demasiado largo para un código QR. Acorta tus valores.
      </p>
    )
  const name = `qr-producto-${product.id}`
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
      <QrPicture code={code} label={`Código QR de tu enlace de ${product.name}`} />
      <div className="grid min-w-0 flex-1 basis-56 gap-3">
        <p className="text-muted">
          Lleva a tu enlace a quien lo lea con la cámara. Pruébalo con tu teléfono antes de imprimirlo.
        </p>
        {link.includes(EXTERNAL_ID_PLACEHOLDER) && (
          <p className="text-muted">Mientras external_id esté vacío, el código no lo lleva.</p>
        )}
        {code.side > DENSE && (
          <p className="text-muted">Tu enlace es largo: muestra o imprime el código en grande, o acorta tus valores.</p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button icon={Download} onClick={() => void savePng(code, name)}>
            Descargar PNG
          </Button>
          <Button icon={Download} onClick={() => save(svgFile(code), `${name}.svg`)}>
            Descargar SVG
          </Button>
        </div>
      </div>
    </div>
  )
}

async function savePng(code: Qr, name: string): Promise<void> {
  try {
    save(await pngFile(code), `${name}.png`)
  } catch (error) {
    console.error(error)
    toast.error('Error al descargar el código QR')
  }
}

/** Dark on light in every theme: cameras do not read the opposite. */
export const QrPicture = ({ code: { side, path }, label }: { code: Qr; label: string }) => (
  <svg
    role="img"
    aria-label={label}
    viewBox={`0 0 ${side} ${side}`}
    shapeRendering="crispEdges"
    className={cx('w-full rounded-lg border bg-white', side > DENSE ? 'max-w-xl' : 'max-w-72')}
  >
    <path fill="#fff" d={`M0 0h${side}v${side}H0z`} />
    <path fill="#000" d={path} />
  </svg>
)

import { type ReactNode, useId } from 'react'
import { ADDRESS_LIMIT } from '#contract/endpoint.ts'
import { type UtmField, utmFields } from '#contract/leads.ts'
import type { Product } from '#contract/products.ts'
import { EXTERNAL_ID_PLACEHOLDER, isTooLong, withParams } from '#contract/tracking.ts'
import { cutTo } from '#web/form/clean.ts'
import { RateHistory } from '#web/rates/RateHistory.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Fact, Facts } from '#web/ui/Card.tsx'
import { Collapsible } from '#web/ui/Collapsible.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { LongDay } from '#web/ui/dates.tsx'
import { formatNumber } from '#web/ui/format.ts'
import { StatusBadge } from './columns.tsx'
import { LinkQr } from './LinkQr.tsx'
import { OwnCommission } from './OwnCommission.tsx'
import { withoutPlaceholder } from './qr.ts'

/** What the example shows; people see the shape of a campaign and put their own words in. */
const example: Record<UtmField, string> = {
  utm_source: 'facebook',
  utm_medium: 'cpc',
  utm_campaign: 'buen_fin',
  utm_term: 'tarjeta_sin_anualidad',
  utm_content: 'video_30s',
}

/** What the affiliate puts into its link, by the parameter's name. */
export type LinkValues = Record<string, string>

interface Props {
  product: Product
  /** The product's link with the placeholder of external_id. */
  base: string
  /** Kept while the dialog is closed: one campaign is often of several products. */
  values: LinkValues
  onValues: (values: LinkValues) => void
  onClose: () => void
}

export function AffiliateProductDialog({ onClose, ...builder }: Props) {
  const { product, base } = builder
  return (
    <Dialog title={product.name} size="lg" onClose={onClose} footer={<Button onClick={onClose}>Cerrar</Button>}>
      <div className="grid gap-6 pt-2">
        <Facts>
          <Fact label="ID">{product.id}</Fact>
          <Fact label="Fecha de Creación">
            <LongDay value={product.created_at} />
          </Fact>
          <Fact label="Estado">
            <StatusBadge product={product} />
          </Fact>
          <Fact label="Emisor">{product.issuer_name}</Fact>
          <Fact label="Comisión" wide>
            <OwnCommission of={product.commission} />
            <p className="text-xs text-muted">
              Por cada lead que llega a un paso que genera comisión, antes de IVA y retenciones. Cada lead gana el mejor
              de dos montos: el vigente en su clic y el vigente en su evento.
            </p>
          </Fact>
          <Fact label="Nombre" wide>
            {product.name}
          </Fact>
          <Fact label="Descripción" wide>
            <span className="whitespace-pre-line">{product.description || 'Sin descripción disponible'}</span>
          </Fact>
        </Facts>
        <Collapsible title="Historial de tu comisión" initiallyOpen={false}>
          <RateHistory productId={product.id} />
        </Collapsible>
        <Address title="URL de Tracking Base" url={base}>
          <p className="mt-0.5 text-muted">
            Cambia <code className="text-xs">{EXTERNAL_ID_PLACEHOLDER}</code> por tu propia referencia; si se queda así,
            el lead no lleva ninguna.
          </p>
        </Address>
        <Address title="Ejemplo con UTM" url={withParams(base, example)} />
        <Builder {...builder} />
      </div>
    </Dialog>
  )
}

const Address = ({ title, url, children }: { title: string; url: string; children?: ReactNode }) => (
  <section aria-label={title}>
    <h3 className="text-xs text-muted">{title}</h3>
    {children}
    <div className="mt-1 flex items-start gap-2 rounded-lg bg-sunken py-2 pr-2 pl-3">
      <code className="min-w-0 flex-1 py-1 text-xs break-all">{url}</code>
      <CopyButton
        text={url}
        label={`Copiar ${title}`}
        copied="URL copiada al portapapeles"
        failed="Error al copiar la URL"
      />
    </div>
  </section>
)

const fields = ['external_id', ...utmFields] as const

/** Puts the affiliate's own values into the link. */
function Builder({ product, base, values, onValues }: Omit<Props, 'onClose'>) {
  const link = withParams(base, values)
  const filled = Object.values(values).some((value) => value !== '')
  return (
    <section className="border-t pt-5">
      <h3 className="font-semibold">Arma tu enlace</h3>
      <p className="mt-0.5 text-muted">Escribe tus valores y copia el enlace listo para publicar.</p>
      <div className="mt-3 grid gap-3 sm:grid-cols-2">
        {fields.map((name) => (
          <Value
            key={name}
            name={name}
            value={values[name] ?? ''}
            onChange={(value) => onValues({ ...values, [name]: value })}
          />
        ))}
      </div>
      {isTooLong(link) ? (
        <p role="alert" className="mt-4 text-danger-ink">
          El enlace es demasiado largo y podría no funcionar: caben {formatNumber(ADDRESS_LIMIT)} caracteres. Acorta tus
          valores; los acentos y los emojis ocupan varios caracteres cada uno.
        </p>
      ) : (
        <Finished link={link} product={product} filled={filled} />
      )}
    </section>
  )
}

const Finished = ({ link, product, filled }: { link: string; product: Product; filled: boolean }) => (
  <>
    {filled && (
      <div className="mt-4">
        <Address title="Tu enlace" url={withoutPlaceholder(link)} />
      </div>
    )}
    <div className="mt-3">
      <Collapsible title="Código QR" initiallyOpen={false}>
        <LinkQr link={link} product={product} />
      </Collapsible>
    </div>
  </>
)

function Value({ name, value, onChange }: { name: string; value: string; onChange: (value: string) => void }) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="text-xs text-muted">
        {name}
      </label>
      <input
        id={id}
        value={value}
        autoComplete="off"
        onChange={(event) => onChange(cutTo(event.target.value, 255))}
        className="field-box mt-1 px-3"
      />
    </div>
  )
}

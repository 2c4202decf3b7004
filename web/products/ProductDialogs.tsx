import { useQuery } from '@tanstack/react-query'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { type Status, statusLabels } from '#contract/fields.ts'
import { destination, type Product, ProductCreate, ProductUpdate, products, RedirectUrl } from '#contract/products.ts'
import { seenOf } from '#web/api/client.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { ComboboxField, SelectField } from '#web/form/SelectField.tsx'
import { TextArea } from '#web/form/TextArea.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { issuerOptionsQuery } from '#web/issuers/queries.ts'
import { optionsOf } from '#web/ui/option.ts'
import { useCreateProduct, useUpdateProduct } from './queries.ts'

/** Of no lead: an id of the form that the issuer's site is given. */
const SAMPLE_ID = '01a2c0de-0000-7000-8000-000000000000'

/** Both dialogs hold these; each schema takes what it knows. */
interface Values {
  issuer_id: number | null
  name: string
  description: string
  redirect_url: string
  product_status: Status
}

const empty: Values = { issuer_id: null, name: '', description: '', redirect_url: '', product_status: 'active' }

export function ProductCreateDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateProduct()
  const issuers = useQuery(issuerOptionsQuery())
  const form = useSchemaForm(ProductCreate, empty)
  return (
    <DialogForm
      title="Nuevo Producto"
      form={form}
      busy={create.isPending}
      error={create.error}
      submit="Crear"
      submitBusy="Creando..."
      onClose={onClose}
      onSubmit={(product) => create.mutate(product, { onSuccess: onClose })}
    >
      <ComboboxField name="issuer_id" label="Emisor" control={form.control} options={issuers.data ?? []} />
      <ProductFields form={form} />
    </DialogForm>
  )
}

const EditForm = ProductUpdate.omit({ id: true }).required()
const statuses = optionsOf(statusLabels)

export function ProductEditDialog({ product, onClose }: { product: Product; onClose: () => void }) {
  const update = useUpdateProduct()
  const form = useSchemaForm(EditForm, {
    issuer_id: product.issuer,
    name: product.name,
    description: product.description,
    redirect_url: product.redirect_url ?? '',
    product_status: product.product_status,
  } satisfies Values as Values)
  return (
    <DialogForm
      title="Editar Producto"
      saves={products.update}
      form={form}
      busy={update.isPending}
      error={update.error}
      submit="Actualizar"
      submitBusy="Actualizando..."
      onClose={onClose}
      onSubmit={(values) => update.mutate({ ...seenOf(product), ...values }, { onSuccess: onClose })}
    >
      <div>
        <p className="text-xs text-muted">Emisor</p>
        <p className="mt-0.5 font-medium">{product.issuer_name}</p>
      </div>
      <ProductFields form={form} />
      <SelectField
        name="product_status"
        label="Estado"
        control={form.control}
        options={statuses}
        help="Inactivo: sus enlaces dejan de funcionar y los afiliados dejan de verlo."
      />
    </DialogForm>
  )
}

function ProductFields<Output>({ form: { control } }: { form: UseFormReturn<Values, unknown, Output> }) {
  return (
    <>
      <TextField name="name" label="Nombre" control={control} />
      <TextArea
        name="description"
        label="Descripción"
        control={control}
        help="Incluye el CAT y las leyendas que exija el emisor."
      />
      <TextField
        name="redirect_url"
        label="URL de redirección"
        control={control}
        type="url"
        placeholder="https://banco.mx/alta?ref={tracking_id}"
        help="Debe incluir {tracking_id}; ahí va el identificador del lead."
      />
      <Arrival url={useWatch({ control, name: 'redirect_url' })} />
    </>
  )
}

/** As the issuer's site would be given the lead's id (D90), once the address is one that can be saved. */
function Arrival({ url }: { url: string }) {
  const address = RedirectUrl.safeParse(url)
  if (!address.success) return null
  const arrives = destination(address.data, SAMPLE_ID)
  return (
    <p className="text-xs text-muted">
      Así llegará: <span className="wrap-anywhere text-ink">{arrives}</span>{' '}
      <a href={arrives} target="_blank" rel="noopener noreferrer" className="text-brand underline">
        Probar en otra pestaña
      </a>
    </p>
  )
}

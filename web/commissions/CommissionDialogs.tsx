import { useQuery } from '@tanstack/react-query'
import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import {
  type Commission,
  CommissionCreate,
  type CommissionGap,
  CommissionUpdate,
  commissions,
} from '#contract/commissions.ts'
import { affiliatesQuery } from '#web/affiliates/queries.ts'
import { seenOf } from '#web/api/client.ts'
import { companyOptions } from '#web/companies/options.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { ComboboxField } from '#web/form/SelectField.tsx'
import { MoneyField } from '#web/form/special-fields.tsx'
import { TextArea } from '#web/form/TextArea.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { productsQuery } from '#web/products/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatMoney } from '#web/ui/format.ts'
import type { Option } from '#web/ui/option.ts'
import { RemoveDialog } from '#web/ui/RemoveDialog.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { EndedChange } from './EndedChange.tsx'
import { frozenBy } from './frozen.ts'
import { productOptions } from './product-options.ts'
import { ratesInForceQuery, useCreateCommission, useRemoveCommission, useUpdateCommission } from './queries.ts'

/** Both dialogs hold these; each schema takes what it knows. */
interface Values {
  affiliate_id: number | null
  product_id: number | null
  payout: string
  name: string
  description: string
}

const empty: Values = { affiliate_id: null, product_id: null, payout: '', name: '', description: '' }

/** Named after its product, as long as that fits. */
const filledFor = ({ affiliate, product, product_name }: CommissionGap): Values => ({
  ...empty,
  ...{ affiliate_id: affiliate, product_id: product, name: product_name.slice(0, 100) },
})

/** The affiliate must be in the list, also while editing, where it is fixed (specification section 5). */
const NOT_IN_LIST = { path: ['affiliate_id'], error: 'Selecciona un afiliado válido' }

function useLists() {
  const affiliates = useQuery({ ...affiliatesQuery(), meta: { quiet: true } })
  const products = useQuery({ ...productsQuery(), meta: { quiet: true } })
  const loaded = affiliates.data && products.data
  return {
    affiliates: affiliates.data,
    products: products.data,
    failed: affiliates.isLoadingError || products.isLoadingError,
    disabledReason: loaded ? undefined : 'Cargando afiliados y productos...',
  }
}

/** `of` names the pair that waits for its commission. */
export function CommissionCreateDialog({ of: gap, onClose }: { of?: CommissionGap | undefined; onClose: () => void }) {
  const create = useCreateCommission()
  const { affiliates: loaded, products, failed, disabledReason } = useLists()
  const form = useSchemaForm(
    CommissionCreate.refine(({ affiliate_id }) => loaded?.some(({ id }) => id === affiliate_id), NOT_IN_LIST),
    gap ? filledFor(gap) : empty,
  )
  if (failed) return <ListsFailed title="Nueva Comisión" onClose={onClose} />
  const save = (values: z.output<typeof CommissionCreate>) => {
    const relationship_id = loaded?.find(({ id }) => id === values.affiliate_id)?.relationship_id
    create.mutate({ ...values, ...(relationship_id && { relationship_id }) }, { onSuccess: onClose })
  }
  return (
    <DialogForm
      title="Nueva Comisión"
      form={form}
      busy={create.isPending}
      error={create.error}
      submit="Configurar Comisión"
      submitBusy="Configurando..."
      disabledReason={disabledReason}
      onClose={onClose}
      onSubmit={save}
    >
      <CommissionFields form={form} affiliates={companyOptions(loaded ?? [])} products={productOptions(products)} />
    </DialogForm>
  )
}

const EditForm = CommissionUpdate.pick({ name: true, description: true, payout: true }).required()

export function CommissionEditDialog({ commission, onClose }: { commission: Commission; onClose: () => void }) {
  const update = useUpdateCommission()
  const { affiliates: loaded, failed, disabledReason } = useLists()
  const form = useSchemaForm<Values, z.output<typeof EditForm>>(
    EditForm.refine(() => loaded?.some(({ id }) => id === commission.affiliate), NOT_IN_LIST),
    {
      affiliate_id: commission.affiliate,
      product_id: commission.product,
      payout: commission.payout,
      name: commission.name,
      description: commission.description,
    },
  )
  if (failed) return <ListsFailed title="Editar Comisión" onClose={onClose} />
  return (
    <DialogForm
      title="Editar Comisión"
      saves={commissions.update}
      frozen={frozenBy(commission)}
      description="Cada lead gana el mejor de dos montos: el vigente en su clic y el vigente en su evento. Lo ya devengado conserva el suyo."
      form={form}
      busy={update.isPending}
      error={update.error}
      submit="Actualizar Comisión"
      submitBusy="Actualizando..."
      disabledReason={disabledReason}
      onClose={onClose}
      // One that is not changed is not sent: another may have begun since.
      onSubmit={({ payout, ...rest }) =>
        update.mutate(
          { ...seenOf(commission), ...rest, ...(payout !== commission.payout && { payout }) },
          { onSuccess: onClose },
        )
      }
    >
      <CommissionFields
        form={form}
        fixed
        affiliates={[{ value: commission.affiliate, label: commission.affiliate_name }]}
        products={[{ value: commission.product, label: commission.product_name }]}
      />
    </DialogForm>
  )
}

interface FieldsProps<Output> {
  form: UseFormReturn<Values, unknown, Output>
  affiliates: { value: number; label: string }[]
  products: Option<number>[]
  /** The pair of an existing commission does not change (D40). */
  fixed?: boolean
}

function CommissionFields<Output>({ form: { control }, affiliates, products, fixed = false }: FieldsProps<Output>) {
  return (
    <>
      <ComboboxField name="affiliate_id" label="Afiliado" control={control} options={affiliates} disabled={fixed} />
      <ComboboxField name="product_id" label="Producto" control={control} options={products} disabled={fixed} />
      <MoneyField
        name="payout"
        label="Comisión (MXN)"
        control={control}
        help="Por cada lead que llega a un paso que genera comisión, antes de IVA y retenciones."
      />
      <TextField name="name" label="Nombre" control={control} />
      <TextArea name="description" label="Descripción" control={control} optional />
    </>
  )
}

const ListsFailed = ({ title, onClose }: { title: string; onClose: () => void }) => (
  <Dialog title={title} size="sm" onClose={onClose} footer={<Button onClick={onClose}>Cerrar</Button>}>
    <p>No se pudieron cargar los datos necesarios. Inténtalo de nuevo.</p>
  </Dialog>
)

export function CommissionRemoveDialog({ commission, onClose }: { commission: Commission; onClose: () => void }) {
  const { name, affiliate_name, product_name } = commission
  return (
    <RemoveDialog title="Eliminar Comisión" remove={useRemoveCommission()} id={commission.id} onClose={onClose}>
      <p>
        ¿Eliminar la comisión <strong className="text-ink">{name}</strong>? Los leads de {affiliate_name} que ya
        hicieron clic en {product_name} la ganan todavía, y lo ya devengado se conserva.
        <EndedChange next={commission.next} />
      </p>
      <p aria-live="polite" className="mt-2">
        <EarnedInstead of={commission} />
      </p>
    </RemoveDialog>
  )
}

/** What the leads from now on earn. */
function EarnedInstead({ of: { product, affiliate_name } }: { of: Commission }) {
  const { data, isError } = useQuery(ratesInForceQuery())
  const general = data?.find((rate) => rate.product === product && rate.commission === null && rate.step === null)
  if (!data && !isError)
    return (
      <>
        <span className="sr-only">Consultando la tarifa general...</span>
        <Skeleton className="w-full" />
      </>
    )
  if (!data) return 'Los que genere desde ahora ganarán la tarifa general del producto, si la tiene.'
  return general?.payout
    ? `Los que ${affiliate_name} genere desde ahora ganarán la tarifa general del producto, ${formatMoney(general.payout)}.`
    : `Los que ${affiliate_name} genere desde ahora no generarán comisión.`
}

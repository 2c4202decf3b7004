import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { AdjustmentCreate, DUE_PAST } from '#contract/adjustments.ts'
import { amountText, GivenDate, statusLabels } from '#contract/fields.ts'
import type { Relationship } from '#contract/relationships.ts'
import { Reason } from '#contract/rulings.ts'
import { dateInMexico } from '#contract/time.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { ComboboxField, SelectField } from '#web/form/SelectField.tsx'
import { DateField, MoneyField } from '#web/form/special-fields.tsx'
import { TextArea } from '#web/form/TextArea.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { productOptionsQuery } from '#web/products/queries.ts'
import { relationshipsQuery } from '#web/relationships/queries.ts'
import { useCreateAdjustment } from './queries.ts'

/** What people choose from: the amount is typed without a sign. */
const directions = {
  bonus: 'Bono',
  credit: 'Ajuste a favor del afiliado',
  charge: 'Ajuste en contra del afiliado',
} as const
const Direction = z.enum(['bonus', 'credit', 'charge'])

const AdjustmentForm = z
  .object({
    relationship: AdjustmentCreate.shape.relationship,
    product_id: z.number().nullable(),
    direction: Direction,
    amount: amountText('El monto es requerido'),
    note: Reason,
    due_on: GivenDate.refine((day) => day >= dateInMexico(), DUE_PAST),
  })
  .refine(({ amount }) => amount !== '0.00', {
    path: ['amount'],
    message: 'El monto debe ser mayor que cero',
  })
type Form = z.output<typeof AdjustmentForm>
type Values = Omit<Form, 'relationship'> & { relationship: number | null }

const callOf = ({ direction, amount, ...form }: Form, pair: Relationship | undefined): AdjustmentCreate => ({
  ...form,
  pair: pair && { affiliate: pair.affiliate, issuer: pair.issuer },
  kind: direction === 'bonus' ? 'bonus' : 'adjustment',
  amount: direction === 'charge' ? `-${amount}` : amount,
})

export function AdjustmentDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateAdjustment()
  const empty: Values = {
    ...{ relationship: null, product_id: null, direction: 'bonus', amount: '', note: '' },
    due_on: dateInMexico(),
  }
  const form = useSchemaForm<Values, Form>(AdjustmentForm, empty)
  const { control } = form
  const relationships = useQuery(relationshipsQuery())
  const products = useQuery(productOptionsQuery())
  const pair = relationships.data?.find(({ id }) => id === form.watch('relationship'))
  const issuer = pair?.issuer
  return (
    <DialogForm
      title="Nuevo movimiento"
      description="Se suma a lo que se debe al afiliado, o se resta, en el pago de su periodo. Montos antes de IVA y retenciones."
      columns={2}
      form={form}
      busy={create.isPending}
      error={create.error}
      submit="Registrar"
      submitBusy="Registrando..."
      onClose={onClose}
      onSubmit={(values) => create.mutate(callOf(values, pair), { onSuccess: onClose })}
    >
      <ComboboxField
        name="relationship"
        label="Relación"
        control={control}
        wide
        placeholder="Afiliado - Emisor"
        options={(relationships.data ?? []).map((pair) => ({
          value: pair.id,
          label: `${pair.affiliate_name} - ${pair.issuer_name}`,
          hint: statusLabels[pair.relationship_status],
        }))}
        onChosen={() => form.setValue('product_id', null)}
      />
      <SelectField
        name="direction"
        label="Tipo"
        control={control}
        options={Direction.options.map((value) => ({ value, label: directions[value] }))}
      />
      <MoneyField name="amount" label="Monto (MXN)" control={control} />
      <ComboboxField
        name="product_id"
        label="Producto"
        control={control}
        optional
        clearable={issuer !== undefined}
        placeholder="Ninguno en particular"
        options={(products.data ?? []).filter((product) => product.issuer === issuer)}
        empty={issuer === undefined ? 'Elige antes la relación' : 'El emisor no tiene ese producto'}
      />
      <DateField name="due_on" label="Se puede pagar desde el" control={control} min={dateInMexico()} />
      <TextArea
        name="note"
        label="Motivo"
        control={control}
        limit={500}
        rows={3}
        wide
        help="El afiliado y el emisor leen por qué."
      />
    </DialogForm>
  )
}

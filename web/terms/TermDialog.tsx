import { useQuery } from '@tanstack/react-query'
import { type Control, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { GivenDate, statusLabels } from '#contract/fields.ts'
import type { Relationship } from '#contract/relationships.ts'
import { TERM_PAST, TERM_STRANGERS, TermCreate, TermScope, termScopeLabels } from '#contract/terms.ts'
import { dateInMexico } from '#contract/time.ts'
import { Validation, validationLabels } from '#contract/validation.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { ComboboxField, SelectField } from '#web/form/SelectField.tsx'
import { DateField, NumberField } from '#web/form/special-fields.tsx'
import { TextArea } from '#web/form/TextArea.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { issuerOptionsQuery } from '#web/issuers/queries.ts'
import { productOptionsQuery } from '#web/products/queries.ts'
import { relationshipsQuery } from '#web/relationships/queries.ts'
import { useCreateTerm } from './queries.ts'

const OPEN = 'open'

const { validation_days, note } = TermCreate.shape

/** Which ids a scope asks for. */
const asks = {
  issuer: (scope: TermScope) => scope === 'issuer',
  product: (scope: TermScope) => scope === 'product' || scope === 'pair_product',
  relationship: (scope: TermScope) => scope === 'pair' || scope === 'pair_product',
}

const TermForm = z
  .object({
    scope: TermScope,
    issuer_id: z.number().nullable(),
    product_id: z.number().nullable(),
    relationship_id: z.number().nullable(),
    valid_from: GivenDate.refine((day) => day >= dateInMexico(), TERM_PAST),
    validation: z.union([Validation, z.literal(OPEN)]),
    validation_days,
    note,
  })
  .superRefine((form, context) => {
    const required = {
      issuer: 'Selecciona un emisor',
      product: 'Selecciona un producto',
      relationship: 'Selecciona una relación',
    }
    for (const [field, message] of Object.entries(required) as [keyof typeof asks, string][])
      if (asks[field](form.scope) && form[`${field}_id`] === null)
        context.addIssue({ code: 'custom', path: [`${field}_id`], message })
  })
type Form = z.output<typeof TermForm>
type Values = Omit<Form, 'validation_days'> & { validation_days: number | null }

const callOf = ({ scope, validation, ...form }: Form, pair: Relationship | undefined): TermCreate => ({
  ...form,
  pair: pair && { affiliate: pair.affiliate, issuer: pair.issuer },
  issuer_id: asks.issuer(scope) ? form.issuer_id : null,
  product_id: asks.product(scope) ? form.product_id : null,
  relationship_id: asks.relationship(scope) ? form.relationship_id : null,
  validation: validation === OPEN ? null : validation,
})

const scopes = TermScope.options.toReversed().map((value) => ({ value, label: termScopeLabels[value] }))
const validations = [
  { value: OPEN, label: 'Hereda de la condición más amplia' },
  ...Validation.options.map((value) => ({ value, label: validationLabels[value] })),
]

const emptyToday = (): Values => ({
  scope: 'network',
  issuer_id: null,
  product_id: null,
  relationship_id: null,
  valid_from: dateInMexico(),
  validation: OPEN,
  validation_days: null,
  note: '',
})

export function TermDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateTerm()
  const form = useSchemaForm<Values, Form>(TermForm, emptyToday())
  const { control } = form
  const relationships = useQuery(relationshipsQuery())
  const pair = relationships.data?.find(({ id }) => id === form.watch('relationship_id'))
  const forgetProduct = () => form.setValue('product_id', null)
  return (
    <DialogForm
      title="Nueva condición"
      description="De las que alcanzan a una comisión cuenta la más estrecha; lo que deja abierto lo dice la siguiente."
      form={form}
      busy={create.isPending}
      error={create.error}
      submit="Crear condición"
      submitBusy="Creando..."
      onClose={onClose}
      onSubmit={(values) => create.mutate(callOf(values, pair), { onSuccess: onClose })}
    >
      <SelectField name="scope" label="Alcance" control={control} options={scopes} onChosen={forgetProduct} />
      <Whom control={control} relationships={relationships.data ?? []} pair={pair} onRelationship={forgetProduct} />
      <DateField name="valid_from" label="A partir del" control={control} min={dateInMexico()} />
      <SelectField name="validation" label="Aprobación" control={control} options={validations} />
      <NumberField
        name="validation_days"
        label="Días de validación"
        control={control}
        optional
        help="De 0 a 180, desde que se gana; vacío, los hereda de la condición más amplia."
      />
      <TextArea name="note" label="Nota" control={control} limit={500} optional help="Solo la leen administradores." />
    </DialogForm>
  )
}

interface WhomProps {
  control: Control<Values, unknown, Form>
  relationships: Relationship[]
  /** The chosen one. */
  pair: Relationship | undefined
  onRelationship: () => void
}

/** The choices that the scope asks for; a product and a relationship are of one issuer. */
function Whom({ control, relationships, pair, onRelationship }: WhomProps) {
  const scope = useWatch({ control, name: 'scope' })
  const issuers = useQuery(issuerOptionsQuery())
  const products = useQuery(productOptionsQuery())
  const issuer = pair?.issuer
  const isFree = !asks.relationship(scope) || issuer === undefined
  return (
    <>
      {asks.issuer(scope) && (
        <ComboboxField name="issuer_id" label="Emisor" control={control} options={issuers.data ?? []} />
      )}
      {asks.relationship(scope) && (
        <ComboboxField
          name="relationship_id"
          label="Relación"
          control={control}
          options={relationships.map((each) => ({
            value: each.id,
            label: `${each.affiliate_name} - ${each.issuer_name}`,
            hint: statusLabels[each.relationship_status],
          }))}
          onChosen={onRelationship}
        />
      )}
      {asks.product(scope) && (
        <ComboboxField
          name="product_id"
          label="Producto"
          control={control}
          options={(products.data ?? []).filter((product) => isFree || product.issuer === issuer)}
          {...(!isFree && { empty: TERM_STRANGERS })}
        />
      )}
    </>
  )
}

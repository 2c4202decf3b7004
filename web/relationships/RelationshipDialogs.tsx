import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Status } from '#contract/fields.ts'
import {
  NOTES_LIMIT,
  type Relationship,
  RelationshipCreate,
  RelationshipUpdate,
  relationships,
} from '#contract/relationships.ts'
import { affiliateOptionsQuery } from '#web/affiliates/queries.ts'
import { seenOf } from '#web/api/client.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { ComboboxField, SelectField } from '#web/form/SelectField.tsx'
import { TextArea } from '#web/form/TextArea.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { issuerOptionsQuery } from '#web/issuers/queries.ts'
import { including, type Option, optionsOf } from '#web/ui/option.ts'
import { ConfirmChangesDialog } from './ConfirmChangesDialog.tsx'
import { useCreateRelationship, useUpdateRelationship } from './queries.ts'
import { RelationshipBalance } from './RelationshipBalance.tsx'
import { relationshipStatusLabels } from './status.tsx'

/** Both dialogs hold these; each schema takes what it knows. */
interface Values {
  affiliate_id: number | null
  issuer_id: number | null
  notes: string
  relationship_status: Status
}

const empty: Values = { affiliate_id: null, issuer_id: null, notes: '', relationship_status: 'active' }

export function RelationshipCreateDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateRelationship()
  const form = useSchemaForm(RelationshipCreate, empty)
  const options = usePairOptions()
  return (
    <DialogForm
      title="Nueva Relación"
      form={form}
      busy={create.isPending}
      error={create.error}
      submit="Crear"
      submitBusy="Creando..."
      onClose={onClose}
      onSubmit={(relationship) => create.mutate(relationship, { onSuccess: onClose })}
    >
      <PairFields form={form} options={options} />
      <Notes form={form} />
    </DialogForm>
  )
}

const EditForm = RelationshipUpdate.omit({ id: true }).required()
type Edit = Required<Omit<RelationshipUpdate, 'id'>>

export function RelationshipEditDialog({ relationship, onClose }: { relationship: Relationship; onClose: () => void }) {
  const update = useUpdateRelationship()
  const [asking, setAsking] = useState<Edit>()
  const options = usePairOptions(relationship)
  const form = useSchemaForm(EditForm, {
    affiliate_id: relationship.affiliate,
    issuer_id: relationship.issuer,
    notes: relationship.notes,
    relationship_status: relationship.relationship_status,
  } satisfies Values as Values)
  const save = (values: Edit) =>
    update.mutate({ ...seenOf(relationship), ...values }, { onSuccess: onClose, onError: () => setAsking(undefined) })
  const pairChanged = ({ affiliate_id, issuer_id }: Edit) =>
    affiliate_id !== relationship.affiliate || issuer_id !== relationship.issuer
  return (
    <DialogForm
      title="Editar Relación"
      saves={relationships.update}
      form={form}
      busy={update.isPending}
      error={update.error}
      submit="Actualizar"
      submitBusy="Actualizando..."
      onClose={onClose}
      onSubmit={(values) => (pairChanged(values) ? setAsking(values) : save(values))}
    >
      <PairFields form={form} options={options} />
      <Notes form={form} />
      <StatusField form={form} relationship={relationship} />
      {asking && (
        <ConfirmChangesDialog
          relationship={relationship}
          affiliate={nameIn(options.affiliates, asking.affiliate_id)}
          issuer={nameIn(options.issuers, asking.issuer_id)}
          busy={update.isPending}
          onConfirm={() => save(asking)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </DialogForm>
  )
}

const nameIn = (options: readonly Option<number>[], id: number): string =>
  options.find(({ value }) => value === id)?.label ?? String(id)

/** Active companies, and the two that the relationship already joins. */
function usePairOptions(relationship?: Relationship) {
  const affiliates = useQuery(affiliateOptionsQuery())
  const issuers = useQuery(issuerOptionsQuery())
  const present = relationship && {
    affiliate: { value: relationship.affiliate, label: relationship.affiliate_name },
    issuer: { value: relationship.issuer, label: relationship.issuer_name },
  }
  return {
    affiliates: including(present?.affiliate, affiliates.data),
    issuers: including(present?.issuer, issuers.data),
    failed: affiliates.isLoadingError || issuers.isLoadingError,
  }
}

interface FieldsProps<Output> {
  form: UseFormReturn<Values, unknown, Output>
}

function PairFields<Output>({
  form: { control },
  options,
}: FieldsProps<Output> & { options: ReturnType<typeof usePairOptions> }) {
  const none = options.failed ? 'No se pudo cargar la lista' : 'Sin resultados'
  return (
    <>
      <ComboboxField
        name="affiliate_id"
        label="Afiliado"
        control={control}
        options={options.affiliates}
        placeholder="Buscar afiliado..."
        empty={none}
      />
      <ComboboxField
        name="issuer_id"
        label="Emisor"
        control={control}
        options={options.issuers}
        placeholder="Buscar emisor..."
        empty={none}
      />
    </>
  )
}

const Notes = <Output,>({ form: { control } }: FieldsProps<Output>) => (
  <TextArea
    name="notes"
    label="Notas"
    control={control}
    optional
    limit={NOTES_LIMIT}
    rows={4}
    help="Las ven también el afiliado y el emisor."
  />
)

const statuses = optionsOf(relationshipStatusLabels)

function StatusField<Output>({ form, relationship }: FieldsProps<Output> & { relationship: Relationship }) {
  const { affiliate_name: affiliate, issuer_name: issuer } = relationship
  const help =
    form.watch('relationship_status') === 'active'
      ? `Los enlaces de ${affiliate} a los productos de ${issuer} funcionan.`
      : `Los enlaces de ${affiliate} a los productos de ${issuer} dejan de funcionar: quien haga clic verá «Este enlace ya no está activo». ` +
        `${affiliate} deja de ver los productos; lo que ya ganó se paga como finiquito. Los leads y los pagos se conservan, y al reactivarla todo vuelve a funcionar.`
  const ends = relationship.relationship_status === 'active' && form.watch('relationship_status') === 'inactive'
  return (
    <>
      <SelectField name="relationship_status" label="Estado" control={form.control} options={statuses} help={help} />
      {ends && <RelationshipBalance ids={[relationship.id]} />}
    </>
  )
}

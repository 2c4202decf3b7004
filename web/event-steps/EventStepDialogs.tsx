import { useQuery } from '@tanstack/react-query'
import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { type EventStep, EventStepCreate, EventStepUpdate, eventSteps } from '#contract/event-steps.ts'
import type { Product } from '#contract/products.ts'
import { seenOf } from '#web/api/client.ts'
import { CheckboxField } from '#web/form/CheckboxField.tsx'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { ComboboxField, SelectField } from '#web/form/SelectField.tsx'
import { TextArea } from '#web/form/TextArea.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { issuerOptionsQuery } from '#web/issuers/queries.ts'
import { including, optionsByName } from '#web/ui/option.ts'
import { eventTypesQuery, useCreateEventStep, useUpdateEventStep } from './queries.ts'

/** Both dialogs hold these; each schema takes what it knows. */
interface Values {
  issuer_id: number | null
  product_id: number | null
  event_type_id: number | null
  name: string
  description: string
  is_payout_event: boolean
}

interface CreateProps {
  /** What the screen shows is where a new step most likely goes. */
  issuer: number | undefined
  product: number | undefined
  products: readonly Product[]
  onClose: () => void
}

export function EventStepCreateDialog({ issuer, product, products, onClose }: CreateProps) {
  const create = useCreateEventStep()
  const issuers = useQuery(issuerOptionsQuery())
  const form = useSchemaForm<Values, EventStepCreate>(EventStepCreate, {
    issuer_id: issuer ?? null,
    product_id: product ?? null,
    event_type_id: null,
    name: '',
    description: '',
    is_payout_event: false,
  })
  const onScreen = products.find((row) => row.issuer === issuer)
  const chosen = form.watch('issuer_id')
  const ofIssuer = optionsByName(products.filter((row) => row.issuer === chosen).map(({ id, name }) => [id, name]))
  return (
    <DialogForm
      title="Nuevo Paso"
      form={form}
      busy={create.isPending}
      error={create.error}
      submit="Crear"
      submitBusy="Creando..."
      onClose={onClose}
      // The server assigns the next free order, also when two add a step at once.
      onSubmit={(step) => create.mutate({ ...step, step_order: null }, { onSuccess: onClose })}
    >
      <ComboboxField
        name="issuer_id"
        label="Emisor"
        control={form.control}
        options={including(onScreen && { value: onScreen.issuer, label: onScreen.issuer_name }, issuers.data)}
        onChosen={() => form.setValue('product_id', null, { shouldDirty: true })}
      />
      <ComboboxField
        name="product_id"
        label="Producto"
        control={form.control}
        options={ofIssuer}
        empty={chosen ? 'Este emisor no tiene productos' : 'Elige primero un emisor'}
      />
      <StepFields form={form} />
    </DialogForm>
  )
}

const EditForm = EventStepUpdate.omit({ id: true, step_order: true }).required()

export function EventStepEditDialog({ step, onClose }: { step: EventStep; onClose: () => void }) {
  const update = useUpdateEventStep()
  const form = useSchemaForm<Values, z.output<typeof EditForm>>(EditForm, {
    issuer_id: step.issuer_id,
    product_id: step.product_id,
    event_type_id: step.event_type_id,
    name: step.name,
    description: step.description,
    is_payout_event: step.is_payout_event,
  })
  return (
    <DialogForm
      title="Editar Paso"
      saves={eventSteps.update}
      form={form}
      busy={update.isPending}
      error={update.error}
      submit="Actualizar"
      submitBusy="Actualizando..."
      onClose={onClose}
      onSubmit={(values) =>
        update.mutate({ ...seenOf(step), ...values, step_order: step.step_order }, { onSuccess: onClose })
      }
    >
      <ComboboxField
        name="issuer_id"
        label="Emisor"
        control={form.control}
        options={[{ value: step.issuer_id, label: step.issuer_name }]}
        disabled
      />
      <ComboboxField
        name="product_id"
        label="Producto"
        control={form.control}
        options={[{ value: step.product_id, label: step.product_name }]}
        disabled
      />
      <StepFields form={form} />
    </DialogForm>
  )
}

function StepFields<Output>({ form: { control } }: { form: UseFormReturn<Values, unknown, Output> }) {
  const types = useQuery(eventTypesQuery())
  return (
    <>
      <SelectField
        name="event_type_id"
        label="Tipo de evento"
        control={control}
        placeholder="Selecciona un tipo"
        options={(types.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      />
      <TextField name="name" label="Nombre" control={control} placeholder="Solicitud enviada" />
      <TextArea name="description" label="Descripción" control={control} optional limit={500} />
      <CheckboxField
        name="is_payout_event"
        label="Este evento genera comisión"
        control={control}
        help="Cuando el emisor lo reporta, el afiliado gana la comisión que el emisor configuró."
      />
    </>
  )
}

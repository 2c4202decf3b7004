import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { OccurrenceType, occurrenceLabels } from '#contract/deliveries.ts'
import { eventTypeNames } from '#contract/event-steps.ts'
import { macros } from '#contract/macros.ts'
import { type Receiver, ReceiverCreate } from '#contract/receivers.ts'
import type { Role } from '#contract/roles.ts'
import { wordName } from '#contract/words.ts'
import { CheckboxField } from '#web/form/CheckboxField.tsx'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { ComboboxField, SelectField } from '#web/form/SelectField.tsx'
import { NumberField } from '#web/form/special-fields.tsx'
import { TextArea } from '#web/form/TextArea.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { GuideLink } from '#web/integration/GuideLink.tsx'
import { productOptionsQuery } from '#web/products/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Collapsible } from '#web/ui/Collapsible.tsx'
import { Combobox } from '#web/ui/Combobox.tsx'
import { typeInto } from '#web/ui/type-into.ts'
import { Checks } from './Checks.tsx'
import { Preview } from './Preview.tsx'
import { useCreateReceiver, useUpdateReceiver } from './queries.ts'
import { wordsFor } from './words.tsx'

const typeOptions = OccurrenceType.options.map((value) => ({ value, label: occurrenceLabels[value] }))
const eventTypeOptions = eventTypeNames.map((name, index) => ({ value: index + 1, label: wordName('eventType', name) }))
const KEITARO = { step_1: 'lead', step_2: 'lead', aprobado: 'sale', rechazado: 'rejected', entregado: 'sale' }
const methods = [
  { value: 'GET', label: 'GET: todo va en la dirección' },
  { value: 'POST', label: 'POST: un JSON firmado' },
] as const
const macroOptions = Object.entries(macros).map(([name, text]) => ({ value: name, label: `{${name}} ${text}` }))

const valuesOf = (role: Role, receiver: Receiver | undefined) => ({
  name: receiver?.name ?? '',
  url: receiver?.url ?? '',
  method: receiver?.method ?? (role === 'affiliate' ? ('GET' as const) : ('POST' as const)),
  types: receiver?.types ?? [OccurrenceType.enum['lead.event']],
  product_id: receiver?.product_id ?? null,
  event_types: receiver?.event_types ?? [],
  // Also what only a program gives: the words for commissions and payments.
  status_map: { ...Object.fromEntries(eventTypeNames.map((word) => [word, ''])), ...receiver?.status_map },
  skip_without_external_id: receiver?.skip_without_external_id ?? role === 'affiliate',
  per_second: receiver?.per_second ?? 10,
})

interface Props {
  role: Role
  receiver?: Receiver
  onClose: () => void
}

/** Those that the person sees, and the one that was chosen before. */
function useProductOptions(role: Role, receiver: Receiver | undefined) {
  const { data: seen = [] } = useQuery(productOptionsQuery())
  // An issuer's are all its own.
  const options = role === 'issuer' ? seen.map(({ hint: _, ...option }) => option) : seen
  const { product_id = null, product_name } = receiver ?? {}
  if (product_id === null || options.some(({ value }) => value === product_id)) return options
  return [...options, { value: product_id, label: product_name ?? String(product_id) }]
}

/** A macro goes where somebody was typing, else to the end of the address; there typing goes on behind it. */
function useMacros({
  getValues,
  setValue,
  setFocus,
}: Pick<UseFormReturn<ReturnType<typeof valuesOf>>, 'getValues' | 'setValue' | 'setFocus'>) {
  const left = useRef<HTMLTextAreaElement>(undefined)
  const leave = (area: HTMLTextAreaElement) => {
    left.current = area
  }
  const insert = (name: string | null) => {
    if (!name) return
    const area = left.current
    if (area) typeInto(area, `{${name}}`, area.selectionStart, area.selectionEnd)
    else setValue('url', `${getValues('url')}{${name}}`, { shouldDirty: true, shouldValidate: true })
    setFocus('url')
  }
  return { leave, insert }
}

/** A new receiver, or one as it is. */
export function ReceiverDialog({ role, receiver, onClose }: Props) {
  const create = useCreateReceiver()
  const update = useUpdateReceiver()
  const { isPending, error } = receiver ? update : create
  const form = useSchemaForm(ReceiverCreate, valuesOf(role, receiver))
  const { control, setValue } = form
  const [url, method, status_map] = useWatch({ control, name: ['url', 'method', 'status_map'] })
  const products = useProductOptions(role, receiver)
  const words = wordsFor[role]
  const { leave, insert } = useMacros(form)
  return (
    <DialogForm
      title={receiver ? `Editar ${receiver.name}` : words.add}
      form={form}
      busy={isPending}
      error={error}
      size="lg"
      columns={2}
      submit={receiver ? 'Guardar' : 'Crear'}
      submitBusy={receiver ? 'Guardando...' : 'Creando...'}
      onClose={onClose}
      onSubmit={(values) =>
        receiver
          ? update.mutate({ id: receiver.id, ...values }, { onSuccess: onClose })
          : create.mutate(values, { onSuccess: onClose })
      }
    >
      <TextField name="name" label="Nombre" control={control} maxLength={100} placeholder={words.name} />
      <SelectField name="method" label="Método" control={control} options={methods} />
      <TextArea
        name="url"
        label="Dirección"
        control={control}
        rows={3}
        wide
        onLeave={leave}
        placeholder={words.url}
        help="https; puede llevar macros en la ruta o en los parámetros."
      />
      <div className="mb-3 sm:col-span-2">
        <Combobox
          aria-label="Insertar macro"
          options={macroOptions}
          value={null}
          placeholder="Insertar macro"
          onChange={insert}
        />
      </div>
      <p className="sm:col-span-2">
        <GuideLink guide="postbacks-y-webhooks">Qué llega, cómo comprobarlo y qué responder</GuideLink>
      </p>
      <Preview url={url} method={method} status_map={status_map} />
      <Checks name="types" legend="Eventos" options={typeOptions} control={control} />
      <ComboboxField
        name="product_id"
        label="Producto"
        control={control}
        options={products}
        placeholder="Todos los productos"
        clearable
        wide
        help="Con uno elegido no se avisa de los pagos, que reúnen comisiones de varios."
      />
      <Checks
        name="event_types"
        legend="Solo eventos de estos tipos"
        options={eventTypeOptions}
        control={control}
        help="Sin marcar ninguno, todos. La comisión que gana un evento de otro tipo tampoco se avisa."
      />
      <div className="sm:col-span-2">
        <Collapsible title="Opciones" initiallyOpen={false}>
          <div className="grid grid-cols-1 items-start gap-x-4 gap-y-3 sm:grid-cols-2">
            <p className="text-muted sm:col-span-2">
              La palabra que {'{status}'} manda en cada paso; vacía, la que se ve en gris.
            </p>
            {eventTypeNames.map((word) => (
              <TextField
                key={word}
                name={`status_map.${word}`}
                label={wordName('eventType', word)}
                control={control}
                maxLength={50}
                placeholder={word}
                optional
              />
            ))}
            {role === 'affiliate' && (
              <div className="self-center">
                <Button
                  size="sm"
                  onClick={() => {
                    for (const word of eventTypeNames)
                      setValue(`status_map.${word}`, KEITARO[word], { shouldDirty: true, shouldValidate: true })
                  }}
                >
                  Usar las palabras de Keitaro
                </Button>
              </div>
            )}
            <NumberField name="per_second" label="Máximo por segundo" control={control} />
            <CheckboxField
              name="skip_without_external_id"
              label="Omitir clics sin external_id"
              help="Quien los recibe no sabría de qué clic se trata."
              control={control}
              wide
            />
          </div>
        </Collapsible>
      </div>
    </DialogForm>
  )
}

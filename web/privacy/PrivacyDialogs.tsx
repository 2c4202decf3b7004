import { Download } from 'lucide-react'
import type { UseFormReturn } from 'react-hook-form'
import { utmFields } from '#contract/leads.ts'
import { type FoundLead, PrivacyCorrection, type PrivacyFile, PrivacyGrounds } from '#contract/privacy.ts'
import { save } from '#web/api/download.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { TextArea } from '#web/form/TextArea.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useCorrectLead, useEraseLead, useOpenFile } from './queries.ts'

interface Props {
  lead: FoundLead
  onClose: () => void
}

/** Every dialog holds these; each schema takes what it knows. */
type Values = Required<Omit<PrivacyCorrection, 'id'>>

const valuesOf = ({ external_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content }: FoundLead): Values => ({
  ...{ folio: '', reason: '' },
  ...{ external_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content },
})

function GroundsFields<Output>({ form: { control } }: { form: UseFormReturn<Values, unknown, Output> }) {
  return (
    <>
      <TextField name="folio" label="Folio de la solicitud" control={control} maxLength={50} autoComplete="off" />
      <TextArea
        name="reason"
        label="Motivo"
        control={control}
        help="Queda en la bitácora para siempre: no escribas nombres ni datos de la persona."
      />
    </>
  )
}

const titled = (what: string, { tracking_id }: FoundLead) => ({ title: what, description: `Lead ${tracking_id}` })

export function AccessDialog({ lead, onClose, onOpened }: Props & { onOpened: (file: PrivacyFile) => void }) {
  const opening = useOpenFile()
  const form = useSchemaForm<Values, PrivacyGrounds>(PrivacyGrounds, valuesOf(lead))
  return (
    <DialogForm
      {...titled('Consultar datos', lead)}
      form={form}
      busy={opening.isPending}
      error={opening.error}
      submit="Consultar"
      submitBusy="Consultando..."
      onClose={onClose}
      onSubmit={(grounds) => opening.mutate({ id: lead.id, ...grounds }, { onSuccess: onOpened })}
    >
      <GroundsFields form={form} />
    </DialogForm>
  )
}

/** Everything as it is kept, and as the person gets it. */
export function FileDialog({ file, onClose }: { file: PrivacyFile; onClose: () => void }) {
  const text = JSON.stringify(file, null, 2)
  const name = `afluente-datos-${file.lead.tracking_id}.json`
  return (
    <Dialog
      size="lg"
      {...titled('Datos que se guardan', file.lead)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cerrar</Button>
          <Button
            variant="primary"
            icon={Download}
            onClick={() => save(new Blob([text], { type: 'application/json' }), name)}
          >
            Descargar JSON
          </Button>
        </>
      }
    >
      <section aria-label="Datos" className="pt-2">
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
          tabIndex={0}
          className="max-h-[60vh] overflow-auto rounded-lg bg-sunken p-3 text-xs break-words whitespace-pre-wrap"
        >
          {text}
        </pre>
      </section>
    </Dialog>
  )
}

export function CorrectDialog({ lead, onClose }: Props) {
  const correct = useCorrectLead()
  const form = useSchemaForm<Values, PrivacyCorrection>(PrivacyCorrection, valuesOf(lead))
  const changed = form.formState.dirtyFields
  const names = (['external_id', ...utmFields] as const).filter((name) => changed[name])
  return (
    <DialogForm
      {...titled('Rectificar datos', lead)}
      form={form}
      size="lg"
      columns={2}
      busy={correct.isPending}
      error={correct.error}
      submit="Rectificar"
      submitBusy="Rectificando..."
      disabledReason={names.length ? undefined : 'Cambia primero algún dato'}
      onClose={onClose}
      onSubmit={({ folio, reason, ...fields }) => {
        const corrected = Object.fromEntries(names.map((name) => [name, fields[name]]))
        correct.mutate({ id: lead.id, folio, reason, ...corrected }, { onSuccess: onClose })
      }}
    >
      <TextField name="external_id" label="Referencia (external_id)" control={form.control} />
      {utmFields.map((name) => (
        <TextField key={name} name={name} label={name} control={form.control} />
      ))}
      <GroundsFields form={form} />
    </DialogForm>
  )
}

export function EraseDialog({ lead, onClose }: Props) {
  const erase = useEraseLead()
  const form = useSchemaForm<Values, PrivacyGrounds>(PrivacyGrounds, valuesOf(lead))
  return (
    <DialogForm
      {...titled('Suprimir datos', lead)}
      form={form}
      busy={erase.isPending}
      error={erase.error}
      danger
      submit="Suprimir"
      submitBusy="Suprimiendo..."
      onClose={onClose}
      onSubmit={(grounds) => erase.mutate({ id: lead.id, ...grounds }, { onSuccess: onClose })}
    >
      <p className="text-muted">
        Se borran su referencia, sus parámetros de campaña, los datos del clic y los de sus eventos, los avisos de
        eventos no guardados, los textos de sus renglones en las conciliaciones y lo que se envió de él en postbacks y
        webhooks. Quedan identificadores, fechas, comisiones y cuentas. No se puede deshacer.
      </p>
      <GroundsFields form={form} />
    </DialogForm>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { roleLabels } from '#contract/roles.ts'
import { FactorRule, factorRuleLabels, PolicyUpdate, type SecurityPolicy } from '#contract/security-policy.ts'
import { CheckboxField } from '#web/form/CheckboxField.tsx'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { SelectField } from '#web/form/SelectField.tsx'
import { NumberField } from '#web/form/special-fields.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { counted } from '#web/ui/format.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { policiesQuery, useUpdatePolicy } from './queries.ts'

/** What the people of each role need to come in, for who answers for the network. */
export function PolicyCard() {
  const policies = useQuery(policiesQuery())
  const [open, setOpen] = useState<SecurityPolicy>()
  return (
    <Card
      title="Seguridad por rol"
      description="Exige la verificación en dos pasos, o que nadie conserve una contraseña que le puso otra persona."
    >
      {policies.data ? (
        <ul aria-label="Seguridad por rol" className="divide-y">
          {policies.data.map((policy) => (
            <PolicyLine key={policy.role} policy={policy} onChange={() => setOpen(policy)} />
          ))}
        </ul>
      ) : policies.isError ? (
        <ErrorState text="No se pudo cargar la seguridad por rol" query={policies} />
      ) : (
        <p role="status" className="grid gap-5 py-2">
          <span className="sr-only">Cargando la seguridad por rol...</span>
          {[1, 2, 3].map((line) => (
            <Skeleton key={line} className="h-9 w-full" />
          ))}
        </p>
      )}
      {open && <PolicyDialog policy={open} onClose={() => setOpen(undefined)} />}
    </Card>
  )
}

function PolicyLine({ policy, onChange }: { policy: SecurityPolicy; onChange: () => void }) {
  const { role, second_factor, grace_days, replaces_given, people, without_factor, with_given_password } = policy
  const grace = second_factor === 'required' && ` · ${counted(grace_days, 'día', 'días')} de gracia`
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium">{roleLabels[role]}</p>
        <p className="text-xs text-muted">
          Verificación en dos pasos: {factorRuleLabels[second_factor].toLowerCase()}
          {grace} · {without_factor} de {counted(people, 'persona activa', 'personas activas')} sin segundo factor
        </p>
        <p className="text-xs text-muted">
          Contraseña puesta por otra persona: {replaces_given ? 'se cambia al entrar' : 'se conserva'} ·{' '}
          {with_given_password === 0
            ? 'nadie la tiene'
            : counted(with_given_password, 'persona la tiene', 'personas la tienen')}
        </p>
      </div>
      <Button size="sm" onClick={onChange} aria-label={`Cambiar la seguridad de ${roleLabels[role]}`}>
        Cambiar
      </Button>
    </li>
  )
}

const rules = FactorRule.options.map((value) => ({ value, label: factorRuleLabels[value] }))
const hints: Record<FactorRule, string> = {
  off: 'Cada persona decide.',
  asked: 'Un aviso en cada pantalla la propone a quien no la tiene.',
  required:
    'A quien no la tenga se le avisa, y después de los días de gracia solo puede registrarla. Los programas que usan la API con una persona también la necesitan.',
}

function PolicyDialog({ policy, onClose }: { policy: SecurityPolicy; onClose: () => void }) {
  const { role, second_factor, grace_days, replaces_given } = policy
  const update = useUpdatePolicy()
  const form = useSchemaForm(PolicyUpdate, { role, second_factor, grace_days, replaces_given })
  const chosen = form.watch('second_factor')
  return (
    <DialogForm
      title="Seguridad"
      description={roleLabels[role]}
      size="sm"
      form={form}
      busy={update.isPending}
      error={update.error}
      onClose={onClose}
      onSubmit={(values) => update.mutate(values, { onSuccess: onClose })}
    >
      <SelectField
        name="second_factor"
        label="Verificación en dos pasos"
        control={form.control}
        options={rules}
        help={hints[chosen]}
        // Where the days are not asked for, none that are wrong may stay.
        onChosen={(rule) => rule === 'required' || form.setValue('grace_days', grace_days)}
      />
      {chosen === 'required' && (
        <NumberField
          name="grace_days"
          label="Días de gracia"
          control={form.control}
          help="Desde hoy, o desde que se crea la cuenta si es después."
        />
      )}
      <CheckboxField
        name="replaces_given"
        label="Cambiar al entrar la contraseña que puso otra persona"
        help="Quien la recibió elige la suya antes de todo lo demás. Los programas que entran con una cuenta recién creada dejan de funcionar hasta que alguien la elija."
        control={form.control}
      />
    </DialogForm>
  )
}

import type { FieldPath, FieldValues, PathValue, UseFormReturn } from 'react-hook-form'
import { CheckboxField } from '#web/form/CheckboxField.tsx'
import { PasswordField } from '#web/form/PasswordField.tsx'

interface Props<Values extends FieldValues, Output> {
  form: UseFormReturn<Values, unknown, Output>
  /** The names of the two fields, which may be nested. */
  invite: FieldPath<Values>
  password: FieldPath<Values>
}

/** A link with which the person chooses a password, or a first one. */
export function EntranceFields<Values extends FieldValues, Output>({ form, invite, password }: Props<Values, Output>) {
  const invites = form.watch(invite) === true
  const choose = (checked: boolean) =>
    form.setValue(password, (checked ? undefined : '') as PathValue<Values, FieldPath<Values>>)
  return (
    <>
      <CheckboxField
        name={invite}
        label="Enviar invitación"
        control={form.control}
        wide
        onChosen={choose}
        help="La persona elige su contraseña con un enlace, que vale 72 horas."
      />
      {!invites && (
        <PasswordField
          name={password}
          label="Contraseña"
          control={form.control}
          wide
          help="Al menos 8 caracteres. Entrégala por un medio seguro; la persona puede cambiarla en su configuración."
        />
      )}
    </>
  )
}

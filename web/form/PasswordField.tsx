import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { type ComponentProps, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { IconButton } from '#web/ui/IconButton.tsx'
import { TextField } from './TextField.tsx'

type Props<Values extends FieldValues> = Omit<ComponentProps<typeof TextField<Values>>, 'type' | 'end'>

export function PasswordField<Values extends FieldValues>({ autoComplete = 'new-password', ...props }: Props<Values>) {
  const [shown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      autoComplete={autoComplete}
      type={shown ? 'text' : 'password'}
      end={
        <IconButton
          label={shown ? 'Ocultar contraseña' : 'Mostrar contraseña'}
          icon={shown ? EyeOff : Eye}
          onClick={() => setShown(!shown)}
          className="mr-0.5"
        />
      }
    />
  )
}

import { ApiError, CONNECTION_ERROR } from '#web/api/errors.ts'
import type { SessionUser } from '#web/api/session.ts'
import { toast } from '#web/ui/toast.ts'
import { nameOf } from './auth-context.tsx'

/** What people read after an attempt to sign in, by whatever button. */
export const loginNotices = {
  onSuccess: (user: SessionUser | undefined) => {
    if (!user) return // a second step follows
    toast.dismiss() // what went wrong on the way in
    toast.success('Bienvenido', { description: nameOf(user) })
  },
  onError: (error: Error) =>
    toast.error('Error de inicio de sesión', {
      description: error instanceof ApiError ? error.message : CONNECTION_ERROR,
      duration: 8000,
    }),
}

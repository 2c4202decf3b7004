import { useState } from 'react'
import { type AccessLink, linkTerms, shownOnce } from '#contract/access-links.ts'
import type { User } from '#contract/users.ts'
import { useAuth } from '#web/auth/auth-context.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { isInvitation } from './invitation.ts'
import { useGiveLink } from './queries.ts'

type Person = Pick<User, 'id' | 'full_name' | 'email' | 'last_login'>

interface Props {
  user: Person
  onClose: () => void
}

export const GiveLinkDialog = (props: Props) => <LinkDialog {...props} give={useGiveLink()} />

/** Asks, gives the link, and shows it where the server sends no mail. */
export function LinkDialog({ user, give, onClose }: Props & { give: ReturnType<typeof useGiveLink> }) {
  const [shown, setShown] = useState<AccessLink>()
  if (shown) return <ShownLinkDialog link={shown} name={user.full_name} onClose={onClose} />
  const invites = isInvitation(user)
  return (
    <ConfirmDialog
      title={invites ? 'Enviar invitación' : 'Enviar enlace de acceso'}
      confirm={invites ? 'Enviar invitación' : 'Enviar enlace'}
      busy={give.isPending}
      busyText="Enviando..."
      onConfirm={() =>
        give.mutate(user, { onSuccess: (link) => (link.delivered === 'shown' ? setShown(link) : onClose()) })
      }
      onClose={onClose}
    >
      <strong className="text-ink">{user.full_name}</strong> ({user.email}) recibe un enlace para elegir su contraseña.
      Sirve una vez y durante {linkTerms[invites ? 'invite' : 'reset']}; los anteriores dejan de servir.
    </ConfirmDialog>
  )
}

interface Shown {
  link: AccessLink
  name: string
  onClose: () => void
}

/** A creation that is repeated, since its answer was lost, is answered without the link. */
export const ShownLinkDialog = ({ link, name, onClose }: Shown) => (
  <Dialog
    title={`Enlace para ${name}`}
    {...(link.url !== null && { description: shownOnce(link.purpose) })}
    size="sm"
    once
    onClose={onClose}
    footer={
      <Button variant="primary" onClick={onClose}>
        Listo
      </Button>
    }
  >
    {link.url === null ? (
      <p role="alert">La cuenta ya está creada, pero su enlace se perdió. Dale otro desde la lista de usuarios.</p>
    ) : (
      <ShownLink url={link.url} />
    )}
  </Dialog>
)

const ShownLink = ({ url }: { url: string }) => (
  <>
    <div className="flex items-center gap-2 rounded-lg bg-sunken py-1 pr-1 pl-3">
      <code className="min-w-0 flex-1 text-xs break-all">{url}</code>
      <CopyButton
        text={url}
        label="Copiar el enlace"
        copied="Enlace copiado al portapapeles"
        failed="Error al copiar el enlace"
      />
    </div>
    <p className="mt-3 text-muted">
      Entrégalo por un medio seguro: quien lo abra primero elige la contraseña.
      {useAuth().user?.role === 'admin' && ' Para enviarlo por correo, el operador configura SMTP_URL.'}
    </p>
  </>
)

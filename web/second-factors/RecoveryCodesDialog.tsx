import { save } from '#web/api/download.ts'
import { Button } from '#web/ui/Button.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'

/** Shown this once. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const text = codes.join('\n')
  return (
    <Dialog
      title="Códigos de recuperación"
      description="Guárdalos ahora: no se volverán a mostrar. Cada uno te deja entrar una vez si pierdes tu teléfono."
      size="sm"
      once
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => save(new Blob([`${text}\n`], { type: 'text/plain' }), 'codigos-afluente.txt')}>
            Descargar
          </Button>
          <Button variant="primary" onClick={onClose}>
            Ya los guardé
          </Button>
        </>
      }
    >
      <div className="flex items-start gap-2 rounded-lg bg-sunken py-3 pr-1 pl-4">
        <ul aria-label="Códigos" className="grid flex-1 grid-cols-2 gap-x-6 gap-y-1.5 font-mono text-base">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <CopyButton text={text} label="Copiar los códigos" failed="Error al copiar los códigos" />
      </div>
    </Dialog>
  )
}

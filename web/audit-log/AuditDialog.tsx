import { type AuditRecord, auditActions, auditEntities } from '#contract/audit-log.ts'
import { Explain } from '#web/explain/Explain.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Fact, Facts } from '#web/ui/Card.tsx'
import { Copyable } from '#web/ui/CopyButton.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DayTime } from '#web/ui/dates.tsx'
import { actorOf } from './actor.ts'
import { fieldName, valueText } from './changes.ts'

const labelOf = (labels: Record<string, string>, key: string): string => labels[key] ?? key

/** One entry: who, when, from where, and every value before and after. */
export function AuditDialog({ entry, onClose }: { entry: AuditRecord; onClose: () => void }) {
  const changes = Object.entries(entry.changes)
  return (
    <Dialog
      title={`${labelOf(auditActions, entry.action)} · ${labelOf(auditEntities, entry.entity)}`}
      {...(entry.label && { description: entry.label })}
      size="lg"
      onClose={onClose}
      footer={<Button onClick={onClose}>Cerrar</Button>}
    >
      <Facts className="pt-2">
        <Fact label="Fecha">
          <DayTime value={entry.created_at} />
        </Fact>
        <Fact label="Persona">{actorOf(entry)}</Fact>
        {entry.on_behalf_of !== null && (
          <Fact label="Veía Afluente como">{entry.on_behalf_of_name || `Usuario ${entry.on_behalf_of}`}</Fact>
        )}
        <Fact label="ID del registro">
          {entry.entity_id ?? '-'}{' '}
          {entry.entity === 'commission_entry' && entry.entity_id !== null && (
            <Explain of={{ kind: 'entry', id: entry.entity_id }} name={`Comisión ${entry.entity_id}`} viewer="admin" />
          )}
        </Fact>
        <Fact label="Dirección de red">{entry.address || '-'}</Fact>
        <Fact label="ID de la solicitud" wide>
          {entry.request_id ? (
            <Copyable
              text={entry.request_id}
              label="Copiar ID de la solicitud"
              copied="ID copiado"
              failed="Error al copiar la información"
            />
          ) : (
            '-'
          )}
        </Fact>
      </Facts>
      <h3 className="mt-6 mb-2 font-semibold">Cambios</h3>
      {changes.length === 0 ? (
        <p className="text-muted">Esta acción no cambió ningún dato.</p>
      ) : (
        <Changes entity={entry.entity} changes={changes} />
      )}
    </Dialog>
  )
}

const CELL = 'px-3 py-2 align-top wrap-anywhere'

const Changes = ({ entity, changes }: { entity: string; changes: [string, [unknown, unknown]][] }) => (
  <table aria-label="Cambios" className="w-full table-fixed rounded-xl border text-left">
    <thead className="bg-sunken text-xs text-muted">
      <tr>
        {['Campo', 'Antes', 'Después'].map((head) => (
          <th key={head} scope="col" className="px-3 py-2 font-medium">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {changes.map(([field, [before, after]]) => (
        <tr key={field} className="border-t">
          <th scope="row" className={`${CELL} font-medium`}>
            {fieldName(field, entity)}
          </th>
          <td className={`${CELL} text-muted`}>{valueText(field, before, entity) ?? '—'}</td>
          <td className={CELL}>{valueText(field, after, entity) ?? '—'}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

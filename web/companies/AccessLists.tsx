import type { AccessRecord, CompanyAccess, CompanyPerson } from '#contract/companies.ts'
import { ACCESS_DAYS } from '#contract/companies.ts'
import { statusLabels } from '#contract/fields.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { DayTime, LongDay, RelativeTime } from '#web/ui/dates.tsx'
import { actorOf, deedOf } from './access-sentence.ts'

/** Who has an account, and what was done with accounts and keys. */
export const AccessLists = ({ access: { people, trail } }: { access: CompanyAccess }) => (
  <div className="grid gap-6">
    <section>
      <h3 className="mb-1 font-semibold">Personas con cuenta</h3>
      {people.length === 0 ? (
        <p className="text-muted">Nadie tiene cuenta en la empresa.</p>
      ) : (
        <ul aria-label="Personas con cuenta" className="divide-y">
          {people.map((person) => (
            <PersonLine key={person.id} person={person} />
          ))}
        </ul>
      )}
    </section>
    <section>
      <h3 className="font-semibold">Movimientos de claves y cuentas</h3>
      <p className="mb-1 text-muted">De los últimos {ACCESS_DAYS} días, incluidos los del administrador.</p>
      {trail.length === 0 ? (
        <p className="text-muted">No hay movimientos.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <div tabIndex={0} className="max-h-96 overflow-y-auto">
          <ul aria-label="Movimientos de claves y cuentas" className="divide-y">
            {trail.map((record) => (
              <RecordLine key={record.id} record={record} />
            ))}
          </ul>
        </div>
      )}
    </section>
  </div>
)

const PersonLine = ({ person }: { person: CompanyPerson }) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 last:pb-0">
    <div className="min-w-0 flex-1 basis-60">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        <span className="min-w-0 wrap-anywhere">{person.full_name}</span>
        {person.removed_at ? (
          <Badge tone="danger">Eliminada</Badge>
        ) : (
          person.user_status !== 'active' && <Badge>{statusLabels[person.user_status]}</Badge>
        )}
      </p>
      <p className="text-xs wrap-anywhere text-muted">{person.email}</p>
    </div>
    <p className="text-xs text-muted">
      {person.removed_at ? (
        <>
          Cuenta del <LongDay value={person.created_at} /> al <LongDay value={person.removed_at} />
        </>
      ) : (
        <>
          Último acceso: <DayTime value={person.last_login} missing="nunca" />
          {person.last_login && ' · '}
          <RelativeTime value={person.last_login} />
        </>
      )}
    </p>
  </li>
)

const RecordLine = ({ record }: { record: AccessRecord }) => (
  <li className="flex flex-wrap justify-between gap-x-4 gap-y-0.5 py-2">
    <p className="min-w-0 wrap-anywhere">
      <span className="font-medium">{actorOf(record)}</span>{' '}
      {record.actor_role === 'admin' && record.actor_name !== '' && <Badge>Administrador</Badge>} {deedOf(record)}
    </p>
    <p className="text-xs text-muted">
      <DayTime value={record.created_at} />
    </p>
  </li>
)

import { useQuery } from '@tanstack/react-query'
import { Ban, KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { keyScopeLabels } from '#contract/key-scopes.ts'
import { NETWORK_KEYS_MAX, type NetworkKey, networkKeys, TOO_MANY_NETWORK_KEYS } from '#contract/network-keys.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { ClientLink } from '#web/integration/ClientLink.tsx'
import { Page } from '#web/shell/Page.tsx'
import type { Column, RowAction } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Day, DayTime } from '#web/ui/dates.tsx'
import { counted, formatDate } from '#web/ui/format.ts'
import { laterDialog } from '#web/ui/later.tsx'
import { networkKeysQuery } from './queries.ts'

const NetworkKeyDialog = laterDialog(async () => (await import('./NetworkKeyDialogs.tsx')).NetworkKeyDialog)
const RevokeKeyDialog = laterDialog(async () => (await import('./NetworkKeyDialogs.tsx')).RevokeKeyDialog)

const stateOf = ({ revoked_at, expires_at }: NetworkKey) => {
  if (revoked_at) return 'Revocada'
  return Date.parse(expires_at) > Date.now() ? 'Vigente' : 'Vencida'
}

const columns: Column<NetworkKey>[] = [
  {
    header: 'Nombre',
    cell: ({ name }) => <span className="font-medium">{name}</span>,
    title: ({ name }) => name,
    sort: ({ name }) => name,
    width: 'max-w-64',
    card: 'title',
  },
  {
    header: 'Alcance',
    cell: ({ scope }) => keyScopeLabels[scope],
    sort: ({ scope }) => keyScopeLabels[scope],
    card: 'meta',
  },
  { header: 'Clave', cell: ({ prefix }) => <code className="text-xs">{prefix}…</code>, card: 'line' },
  {
    header: 'Creó',
    cell: ({ creator_name }) => creator_name,
    title: ({ creator_name, created_at }) => `${creator_name}, ${formatDate(created_at, 'day')}`,
    sort: ({ creator_name }) => creator_name,
    width: 'max-w-40',
    card: 'line',
  },
  {
    header: 'Último uso',
    cell: ({ last_used_at }) =>
      last_used_at ? <DayTime value={last_used_at} /> : <span className="text-muted">Sin usar</span>,
    title: ({ last_used_from }) => (last_used_from ? `Desde la red ${last_used_from}` : ''),
    brief: ({ last_used_at, last_used_from }) =>
      last_used_at ? (
        <>
          <DayTime value={last_used_at} /> {last_used_from && `desde ${last_used_from}`}
        </>
      ) : (
        'Sin usar'
      ),
    sort: ({ last_used_at }) => last_used_at ?? '',
    card: 'line',
  },
  {
    header: 'Vence',
    cell: ({ expires_at }) => <Day value={expires_at} />,
    sort: (key) => key.expires_at,
    card: 'line',
  },
  {
    header: 'Estado',
    cell: (key) => <Badge tone={stateOf(key) === 'Vigente' ? 'success' : 'neutral'}>{stateOf(key)}</Badge>,
    sort: stateOf,
    card: 'chip',
  },
]

/** Keys with which the network's systems read what an administrator reads, and change nothing. */
export default function AdminNetworkKeysPage() {
  const [isAdding, setAdding] = useState(false)
  const [revoking, setRevoking] = useState<NetworkKey>()
  const list = useQuery(networkKeysQuery())
  const refuse = useRefusal()
  const valid = list.data?.filter((key) => stateOf(key) === 'Vigente') ?? []
  const actionsOf = (key: NetworkKey): RowAction[] =>
    stateOf(key) === 'Vigente'
      ? [
          {
            label: `Revocar ${key.name}`,
            icon: Ban,
            tone: 'danger',
            onClick: () => setRevoking(key),
            disabledReason: refuse(networkKeys.revoke),
          },
        ]
      : []
  const create = (
    <Button
      variant="primary"
      icon={Plus}
      onClick={() => setAdding(true)}
      disabledReason={
        refuse(networkKeys.create) ?? (valid.length >= NETWORK_KEYS_MAX ? TOO_MANY_NETWORK_KEYS : undefined)
      }
    >
      Nueva clave
    </Button>
  )
  return (
    <Page
      title="Claves de consulta"
      description="Con ellas tus sistemas leen por la API lo que tú lees, según su alcance y hasta su vencimiento. No cambian nada."
      count={list.data && counted(valid.length, 'clave vigente', 'claves vigentes')}
      action={
        <>
          <ClientLink file="afluente-api.ts" />
          {create}
        </>
      }
    >
      <DataTable
        query={list}
        columns={columns}
        label="Claves de consulta"
        loading="Cargando claves..."
        errorText="Error al cargar las claves"
        empty="Todavía no hay claves"
        emptyHint="Crea una para un almacén de datos, una hoja de cálculo o un sistema contable."
        emptyIcon={KeyRound}
        emptyAction={create}
        actions={actionsOf}
      />
      {isAdding && <NetworkKeyDialog onClose={() => setAdding(false)} />}
      {revoking && <RevokeKeyDialog networkKey={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  )
}

import type { Performance } from '#contract/reports.ts'
import { useAuth } from '#web/auth/auth-context.tsx'
import { comparedColumns } from './columns.tsx'
import type { Asked } from './queries.ts'
import { Section } from './Section.tsx'

const sections = [
  { of: 'products', title: 'Por producto', head: 'Producto', table: 'rendimiento-productos' },
  { of: 'issuers', title: 'Por emisor', head: 'Emisor', table: 'rendimiento-emisores' },
  { of: 'affiliates', title: 'Por afiliado', head: 'Afiliado', table: 'rendimiento-afiliados' },
] as const

/** Who brings what: products and partners, those with most leads first. */
export function Rankings({ performance, asked }: { performance: Performance; asked: Asked }) {
  const { user } = useAuth()
  return sections
    .filter(({ of }) => of !== `${user?.role}s`)
    .map(({ of, title, head, table }) => (
      <Section
        key={of}
        title={title}
        table={table}
        asked={asked}
        rows={performance[of]}
        columns={comparedColumns(head, performance[of])}
        rowKey={({ id }) => id}
      />
    ))
}

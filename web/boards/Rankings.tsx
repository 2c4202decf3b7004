import { useAuth } from '#web/auth/auth-context.tsx'
import type { Column } from '#web/table/column.ts'
import type { Asked } from './queries.ts'
import { Section } from './Section.tsx'

const sections = [
  { of: 'products', title: 'Por producto', head: 'Producto', table: 'productos' },
  { of: 'issuers', title: 'Por emisor', head: 'Emisor', table: 'emisores' },
  { of: 'affiliates', title: 'Por afiliado', head: 'Afiliado', table: 'afiliados' },
] as const

interface Props<Row> {
  rows: Record<'products' | 'issuers' | 'affiliates', readonly Row[]>
  asked: Asked
  columns: (head: string, rows: readonly Row[]) => Column<Row>[]
  /** The first part of the names of the files. */
  table: 'rendimiento' | 'comisiones'
}

/** A table for products and one for each kind of partner; nobody ranks itself. */
export function Rankings<Row extends { id: number }>({ rows, columns, table: name, ...section }: Props<Row>) {
  const { user } = useAuth()
  return sections
    .filter(({ of }) => of !== `${user?.role}s`)
    .map(({ of, title, head, table }) => (
      <Section
        key={of}
        {...section}
        ranked
        title={title}
        table={`${name}-${table}`}
        rows={rows[of]}
        columns={columns(head, rows[of])}
        rowKey={({ id }) => id}
      />
    ))
}

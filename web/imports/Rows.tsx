import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type ImportRemark, remarkText } from '#contract/import-remarks.ts'
import {
  changes,
  type ImportDetail,
  type ImportOutcome,
  type ImportRow,
  importResultLabels,
  outcomeLabel,
} from '#contract/imports.ts'
import { useAuth } from '#web/auth/auth-context.tsx'
import { paths, rowParams } from '#web/paths.ts'
import type { Column } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { PagesFooter } from '#web/table/TableFooter.tsx'
import { useShownPage } from '#web/table/use-shown-page.ts'
import { LINK } from '#web/ui/links.tsx'
import { Money } from '#web/ui/Money.tsx'
import { importRowsQuery } from './queries.ts'

/** The columns of the file that say the most: those that the mapping names. */
const shownColumns = ({ header, mapping }: ImportDetail) =>
  [
    ...new Set([
      ...[mapping?.key_column, mapping?.status_column, mapping?.reason_column],
      ...[mapping?.amount_column, mapping?.date_column],
    ]),
  ].flatMap((index) => (index === null || index === undefined ? [] : [{ index, name: header[index] ?? '' }]))

const remarksColumn: Column<ImportRow> = {
  header: 'Observaciones',
  cell: (row) => remarkText(row) || '—',
  width: 'max-w-80',
  card: 'line',
  brief: (row) => remarkText(row) || null,
}

interface Props {
  file: ImportDetail
  /** All where they are not narrowed. */
  outcome: ImportOutcome | undefined
  remark: ImportRemark | undefined
  page: number
  onPage: (page: number) => void
}

/** The rows of a file with their verdict, a page at a time. */
export function Rows({ file, outcome, remark, page, onPage }: Props) {
  const viewer = useAuth().user?.role as 'admin' | 'issuer'
  const query = { page: String(page), page_size: '25', ...(outcome && { outcome }), ...(remark && { remark }) }
  const list = useQuery(importRowsQuery(file.id, `${file.status} ${file.simulated_at}`, query))
  const shown = useShownPage(list.data, onPage)
  const number: Column<ImportRow> = {
    header: 'Renglón',
    cell: ({ row_no }) => row_no,
    align: 'right',
    card: 'start',
  }
  const ours: Column<ImportRow>[] = [
    {
      header: 'Lead',
      cell: ({ lead_id }) =>
        lead_id && (
          <Link
            to={`${paths[viewer].leads}?${rowParams.lead}=${lead_id}`}
            aria-label={`Lead ${lead_id}`}
            className={`${LINK} tabular-nums`}
          >
            {lead_id}
          </Link>
        ),
      card: 'meta',
      brief: ({ lead_id }) =>
        lead_id && (
          <Link to={`${paths[viewer].leads}?${rowParams.lead}=${lead_id}`} className={`${LINK} tabular-nums`}>
            {`Lead ${lead_id}`}
          </Link>
        ),
    },
    {
      header: 'Veredicto',
      cell: ({ outcome: one, result }) => one && outcomeLabel(one, result),
      wrap: true,
      card: 'title',
    },
    ...(file.remarks.length > 0 ? [remarksColumn] : []),
    ...(file.applied_at !== null
      ? [
          {
            header: 'Resultado',
            cell: ({ result }: ImportRow) => result && importResultLabels[result],
            card: 'meta' as const,
          },
        ]
      : []),
    {
      header: 'Monto',
      // What moves no lead moves no peso.
      cell: ({ outcome: one, expected }) => <Money value={one && changes(one) ? expected : null} missing="—" />,
      align: 'right',
      card: 'amount',
    },
  ]
  const taken = [number, ...ours].map(({ header }) => header)
  const theirs = shownColumns(file).map(
    ({ index, name }): Column<ImportRow> => ({
      header: taken.includes(name) ? `${name} (archivo)` : name,
      cell: ({ cells }) => cells[index] || '—',
      title: ({ cells }) => cells[index] ?? '',
      width: 'max-w-48',
      card: 'line',
      brief: ({ cells }) => cells[index] || null,
    }),
  )
  return (
    <DataTable
      label="Renglones"
      query={{ ...list, data: shown?.results }}
      columns={[number, ...theirs, ...ours]}
      rowKey={({ row_no }) => row_no}
      paged={false}
      loading="Cargando renglones..."
      errorText="Error al cargar los renglones"
      empty="Ningún renglón"
      footer={<PagesFooter pagination={shown?.pagination} busy={list.isFetching} onPage={onPage} />}
    />
  )
}

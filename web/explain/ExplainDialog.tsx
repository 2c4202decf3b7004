import { queryOptions, useQuery } from '@tanstack/react-query'
import {
  ArrowLeft,
  Banknote,
  CircleCheck,
  CirclePause,
  CirclePlay,
  CircleX,
  FileCheck,
  FileSpreadsheet,
  type LucideIcon,
  MousePointerClick,
  Receipt,
  RotateCcw,
  Tag,
  Undo2,
} from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Standing, standingLabels } from '#contract/commission-entries.ts'
import { type ExplainKind, type ExplainNode, type ExplainPart, type Explanation, explain } from '#contract/explain.ts'
import { holds } from '#contract/holds.ts'
import type { Role } from '#contract/roles.ts'
import { call } from '#web/api/client.ts'
import { keys } from '#web/api/queries.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { paths, rowParams } from '#web/paths.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DayTime } from '#web/ui/dates.tsx'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { laterDialog } from '#web/ui/later.tsx'
import { LINK } from '#web/ui/links.tsx'
import { Money } from '#web/ui/Money.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

const HoldDialog = laterDialog(async () => (await import('#web/holds/HoldDialog.tsx')).default)

const explanationQuery = ({ kind, id }: Explained) =>
  queryOptions({
    queryKey: [...keys.payments, 'explain', kind, id],
    queryFn: ({ signal }) => call(explain[kind], { params: { id }, signal }),
    staleTime: 0,
    meta: { quiet: true },
  })

export interface Explained {
  kind: ExplainKind
  id: number
}

interface Props {
  of: Explained
  viewer: Role
  onClose: () => void
}

/** Where an amount comes from, from its rate to its payment; the commissions in it are explained in turn. */
export default function ExplainDialog({ of, viewer, onClose }: Props) {
  const [part, setPart] = useState<number>()
  const [isWalked, setWalked] = useState(false)
  const refuse = useRefusal()
  const walk = (entry: number | undefined) => {
    setPart(entry)
    setWalked(true)
  }
  const shown: Explained = part === undefined ? of : { kind: 'entry', id: part }
  const query = useQuery(explanationQuery(shown))
  const [asking, setAsking] = useState(false)
  const subject = query.data?.subject
  if (asking && subject) return <HoldDialog subject={subject} onClose={() => setAsking(false)} />
  const hold = viewer === 'admin' && subject?.standing && holdWords[subject.standing]
  const footer = [
    part !== undefined && (
      <Button key="back" icon={ArrowLeft} onClick={() => walk(undefined)} className="sm:mr-auto">
        Volver
      </Button>
    ),
    hold && (
      <Button key="hold" onClick={() => setAsking(true)} disabledReason={refuse(holds.hold)}>
        {hold}
      </Button>
    ),
  ].filter(Boolean)
  return (
    <Dialog title="¿De dónde sale?" onClose={onClose} footer={footer.length > 0 && footer}>
      {query.data && (
        <Whole
          key={part ?? 'whole'}
          explanation={query.data}
          viewer={viewer}
          isWalked={isWalked}
          onPart={walk}
          onLeave={onClose}
        />
      )}
      {!query.data && query.isError && <ErrorState text="Error al cargar la explicación" query={query} />}
      {query.isPending && <Waiting />}
    </Dialog>
  )
}

/** Only what no payment has yet can be held. */
const holdWords: Partial<Record<Standing, string>> = {
  validating: 'Retener',
  awaiting: 'Retener',
  payable: 'Retener',
  held: 'Liberar',
}

const Waiting = () => (
  <div role="status" className="grid gap-3 py-2">
    <span className="sr-only">Cargando...</span>
    <Skeleton className="h-5 w-full" />
    <Skeleton className="h-5 w-3/4" />
    <Skeleton className="h-40 w-full" />
  </div>
)

interface WholeProps {
  explanation: Explanation
  viewer: Role
  /** It came in the place of another one, and what led to it is gone. */
  isWalked: boolean
  onPart: (entry: number) => void
  onLeave: () => void
}

const takeFocus = (element: HTMLElement | null) => element?.focus()

const Whole = ({ explanation: { sentence, parts, nodes, gaps }, viewer, isWalked, onPart, onLeave }: WholeProps) => (
  <>
    <p
      {...(isWalked && { ref: takeFocus, tabIndex: -1 })}
      className="scroll-mt-2 rounded-lg bg-sunken px-3 py-2 wrap-anywhere outline-none"
    >
      {sentence}
    </p>
    {parts.length > 0 && <Parts parts={parts} onPart={onPart} />}
    <ol aria-label="Lo que pasó" className="mt-4 grid gap-4">
      {nodes.map((node) => (
        <Step key={`${node.kind} ${node.at} ${node.title}`} node={node} viewer={viewer} onLeave={onLeave} />
      ))}
    </ol>
    {gaps.map((gap) => (
      <p key={gap} className="mt-4 text-muted">
        {gap}
      </p>
    ))}
  </>
)

const Parts = ({ parts, onPart }: { parts: readonly ExplainPart[]; onPart: (entry: number) => void }) => (
  <ul aria-label="Lo que lo suma" className="mt-4 divide-y divide-line border-y">
    {parts.map(({ entry, title, amount, standing }) => (
      <li key={entry ?? title} className="flex items-baseline justify-between gap-3 py-2 max-sm:py-3">
        <span className="min-w-0 wrap-anywhere">
          {entry === null ? (
            title
          ) : (
            <button
              type="button"
              onClick={() => onPart(entry)}
              className={`${LINK} -my-2 py-2 text-left max-sm:-my-3 max-sm:py-3`}
            >
              <span className="sr-only">{`¿De dónde sale la comisión ${entry}? `}</span>
              {title}
            </button>
          )}
          {standing && <span className="text-xs text-muted">{` · ${standingLabels[standing]}`}</span>}
        </span>
        <Money value={amount} className="shrink-0 font-medium" />
      </li>
    ))}
  </ul>
)

const icons: Record<ExplainNode['kind'], LucideIcon> = {
  rate: Tag,
  click: MousePointerClick,
  event: FileCheck,
  approval: CircleCheck,
  hold: CirclePause,
  import: FileSpreadsheet,
  void: Undo2,
  release: CirclePlay,
  rejection: CircleX,
  restore: RotateCcw,
  entry: Receipt,
  payment: Banknote,
}

function Step({ node, viewer, onLeave }: { node: ExplainNode; viewer: Role; onLeave: () => void }) {
  const Icon = icons[node.kind]
  return (
    <li className="flex gap-3">
      <span className="mt-0.5 flex size-8 shrink-0 items-center justify-center rounded-full bg-sunken text-muted">
        <Icon aria-hidden className="size-4" />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline justify-between gap-3">
          <span className="min-w-0 font-medium wrap-anywhere">{node.title}</span>
          {node.amount !== null && <Money value={node.amount} className="font-medium" />}
        </div>
        <p className="text-xs text-muted">
          <DayTime value={node.at} />
          {node.link && (
            <>
              {' · '}
              <NodeLink link={node.link} viewer={viewer} onLeave={onLeave} />
            </>
          )}
        </p>
        {node.facts.length > 0 && (
          <dl className="mt-1 grid gap-0.5 text-xs text-muted">
            {node.facts.map(({ label, value }) => (
              <div key={label} className="wrap-anywhere">
                <dt className="inline">{label}: </dt>
                <dd className="inline text-ink">{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </li>
  )
}

interface LinkProps {
  link: NonNullable<ExplainNode['link']>
  viewer: Role
  onLeave: () => void
}

function NodeLink({ link: { kind, id }, viewer, onLeave }: LinkProps) {
  const isLead = kind === 'lead'
  const path = isLead ? paths[viewer].leads : paths[viewer].payments
  return (
    <Link to={`${path}?${isLead ? rowParams.lead : rowParams.payment}=${id}`} onClick={onLeave} className={LINK}>
      {isLead ? `Lead ${id}` : `Pago ${id}`}
    </Link>
  )
}

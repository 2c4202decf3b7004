import { type ComponentType, lazy, Suspense } from 'react'
import { paths } from '#web/paths.ts'
import { Skeletons } from './DashboardFrame.tsx'

const { network, performance, funnel, commissions } = paths.boards

const boards: Record<string, ComponentType> = {
  [network]: lazy(() => import('#web/boards/NetworkBoard.tsx')),
  [performance]: lazy(() => import('#web/boards/PerformanceBoard.tsx')),
  [funnel]: lazy(() => import('#web/boards/FunnelBoard.tsx')),
  [commissions]: lazy(() => import('#web/boards/CommissionsBoard.tsx')),
}

export const isOwnBoard = (url: string): boolean => Object.hasOwn(boards, url)

/** A board of ours, drawn as part of the screen (D61). */
export function OwnBoard({ url }: { url: string }) {
  const Board = boards[url]
  return Board ? (
    <Suspense fallback={<Waiting />}>
      <Board />
    </Suspense>
  ) : null
}

const Waiting = () => (
  <div role="status">
    <span className="sr-only">Cargando tablero...</span>
    <Skeletons />
  </div>
)

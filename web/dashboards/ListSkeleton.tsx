import { Skeleton } from '#web/ui/Skeleton.tsx'

const widths = ['w-3/5', 'w-2/5', 'w-1/2', 'w-3/5', 'w-2/5'] as const

/** Rows of a card while they load. */
export const ListSkeleton = ({ text, rows = 5 }: { text: string; rows?: number }) => (
  <div role="status" className="grid gap-5 py-2">
    <span className="sr-only">{text}</span>
    {widths.slice(0, rows).map((width, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: bars are all the same
      <Skeleton key={index} className={width} />
    ))}
  </div>
)

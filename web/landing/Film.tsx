import { cx } from '#web/ui/cx.ts'
import { Themed } from './Shot.tsx'

interface Props {
  /** One of those that `npm run pictures` draws, frame by frame (scripts/pictures.ts). */
  file: 'month' | 'event' | 'peso'
  alt: string
  /** What a person does, to be told apart from the other films. */
  title: string
}

/** Three frames of the product, one after the other, until somebody stops them. Who wants no motion sees the last one. */
export const Film = ({ file, alt, title }: Props) => (
  <div className="film w-full justify-self-center max-sm:max-w-80">
    <div className="grid overflow-hidden rounded-xl border border-line-strong bg-surface text-left shadow-popup">
      {[1, 2, 3].map((frame) => (
        <div key={frame} className={cx('frame [grid-area:1/1]', `frame-${frame}`)}>
          <Themed file={`${file}-${frame}`} alt={frame === 3 ? alt : ''} theme="light" className="dark:hidden" />
          <Themed file={`${file}-${frame}`} alt={frame === 3 ? alt : ''} theme="dark" className="hidden dark:block" />
        </div>
      ))}
    </div>
    <label className="mt-2 ml-auto flex w-fit items-center gap-2 py-1 text-muted motion-reduce:hidden">
      <input type="checkbox" aria-label={`Detener: ${title}`} className="size-4 accent-brand" />
      Detener
    </label>
  </div>
)

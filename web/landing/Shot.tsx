import { cx } from '#web/ui/cx.ts'

interface Props {
  /** One of those that `npm run pictures` draws (scripts/pictures.ts). */
  file: string
  alt: string
}

/** A screen of the product in the theme of the page: a wide one at a desk, a tall one on a phone. Its box is there before it. */
export const Shot = ({ file, alt }: Props) => (
  <div className="w-full justify-self-center overflow-hidden max-sm:max-w-80 rounded-xl border border-line-strong bg-surface text-left shadow-popup">
    <Themed file={file} alt={alt} theme="light" className="dark:hidden" />
    <Themed file={file} alt={alt} theme="dark" className="hidden dark:block" />
  </div>
)

/** The hidden one is not loaded: it is lazy and has no box. */
export const Themed = ({ file, alt, theme, className }: Props & { theme: 'light' | 'dark'; className: string }) => (
  <picture>
    <source
      media="(width < 40rem)"
      srcSet={`/web/landing/pictures/${file}-${theme}-phone.webp`}
      width="780"
      height="1440"
    />
    <img
      src={`/web/landing/pictures/${file}-${theme}.webp`}
      alt={alt}
      width="1600"
      height="1000"
      loading="lazy"
      decoding="async"
      className={cx('h-auto w-full', className)}
    />
  </picture>
)

import { useMedia } from './use-media.ts'

/** Narrower than 640 px, where lists are cards and filters a sheet; the same width as `sm:` of the styles. */
export const usePhone = (): boolean => useMedia('(width < 40rem)')

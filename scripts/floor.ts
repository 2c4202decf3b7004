/** The oldest browsers that we support: what Tailwind 4 and React 19 need (D92). */
export const FLOOR = { chrome: 111, firefox: 128, safari: 16.4 } as const

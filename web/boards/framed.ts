/** True where another page frames a board: that page shows its name and the links around it. */
export const isFramed = (): boolean => window.self !== window.top

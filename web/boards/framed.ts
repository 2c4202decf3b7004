/** The board stands inside a dashboard, which already says its name and what it is for. */
export const isFramed = (): boolean => window.self !== window.top

/** True inside a dashboard's frame, where the page around shows name and description. */
export const isFramed = (): boolean => window.self !== window.top

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text between quotes or tags of HTML. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter)

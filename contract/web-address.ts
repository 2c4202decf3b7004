/** `URL.parse`, which Chrome knows since 126 and Safari since 18 (D92). */
export function parseUrl(url: string, base?: string): URL | null {
  try {
    return new URL(url, base)
  } catch {
    return null
  }
}

/**
 * An address with a scheme and a plain host, written out. A browser repairs `https:/banco.mx`, and resolves it against our
 * own address; who may sign in (`user@`), a hidden host (`%`) or a host made of what fills a placeholder (`{`) have no
 * place before the path.
 */
export const WRITTEN_OUT = /^https?:\/\/[^\s\\/?#@%{}]+(?:[/?#][^\s\\]*)?$/iu

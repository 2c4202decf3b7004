import type { Endpoint } from '#contract/endpoint.ts'
import { callForFile, type FileParts } from './client.ts'
import { ApiError, CONNECTION_ERROR } from './errors.ts'

const SHOWN_EVERY_MS = 250

/**
 * Fetches a file and saves it as a download. Chunks go into a Blob, which browsers move to disk when large; the URL holds
 * no token. Undefined when `signal` stopped it.
 */
export async function download(
  endpoint: Endpoint,
  parts: FileParts,
  onProgress: (bytes: number) => void,
): Promise<string | undefined> {
  try {
    const response = await callForFile(endpoint, parts)
    const name = nameOf(response)
    save(await blobOf(response, onProgress), name)
    return name
  } catch (error) {
    if (parts.signal.aborted) return undefined
    throw error
  }
}

async function blobOf(response: Response, onProgress: (bytes: number) => void): Promise<Blob> {
  let [bytes, shown] = [0, 0]
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        if (Date.now() - shown >= SHOWN_EVERY_MS) {
          shown = Date.now()
          onProgress(bytes)
        }
        controller.enqueue(chunk)
      },
    }),
  )
  return new Response(counted ?? null, { headers: response.headers }).blob().catch(() => {
    // A file that breaks off is worth nothing: its sums would be wrong.
    throw new ApiError(0, CONNECTION_ERROR)
  })
}

const nameOf = (response: Response): string =>
  /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'afluente.csv'

/** Saves a Blob as a download. */
export function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser reads it after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

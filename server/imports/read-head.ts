/** The first bytes of a file: at least so many, or all. */
export async function readHead(bytes: AsyncIterator<Buffer>, atLeast: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for (let size = 0; size < atLeast; size += chunks.at(-1)?.length ?? 0) {
    const { done, value } = await bytes.next()
    if (done) break
    chunks.push(value)
  }
  return Buffer.concat(chunks)
}

/** What was read of a file, and all behind it. */
export async function* rest(head: Buffer, bytes: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (head.length) yield head
  for (let next = await bytes.next(); !next.done; next = await bytes.next()) yield next.value
}

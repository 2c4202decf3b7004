import type { Argon2Parameters } from 'node:crypto'
import { Worker } from 'node:worker_threads'

const asked: PromiseWithResolvers<Uint8Array>[] = []
let running: Worker | undefined

/**
 * Hashes in a thread of its own, to which the kernel prefers the threads that answer clicks and PostgreSQL. Its answers
 * come in the order of the jobs.
 */
export async function argon2id(parameters: Argon2Parameters): Promise<Buffer> {
  const answer = Promise.withResolvers<Uint8Array>()
  running ??= start()
  running.postMessage(parameters)
  // After what may throw: a job that was never posted would get the answer of the next.
  asked.push(answer)
  running.ref()
  return Buffer.from(await answer.promise)
}

function start(): Worker {
  const worker = new Worker(new URL('./argon2-worker.ts', import.meta.url))
  worker.on('message', (tag: Uint8Array) => {
    asked.shift()?.resolve(tag)
    // Only a pending job keeps the process alive.
    if (asked.length === 0) worker.unref()
  })
  worker.on('error', (error) => {
    running = undefined
    for (const { reject } of asked.splice(0)) reject(error)
  })
  return worker
}

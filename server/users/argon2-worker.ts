import { type Argon2Parameters, argon2Sync } from 'node:crypto'
import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

/** A tenth of the scheduling weight of clicks: with nice 19 a busy machine delayed sign-ins for seconds. */
const NICE = 10

// Linux applies it to this thread alone, others to the whole process. A higher value cannot be undone.
if (process.platform === 'linux') setPriority(Math.max(getPriority(), NICE))

parentPort?.on('message', (parameters: Argon2Parameters) => parentPort?.postMessage(argon2Sync('argon2id', parameters)))

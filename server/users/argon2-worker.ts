import { type Argon2Parameters, argon2Sync } from 'node:crypto'
import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

/** A tenth of the weight of those that answer clicks: with 19 a crowded machine let a sign-in wait for seconds. */
const NICE = 10

// Linux takes it for this thread alone, others for the whole process. Nobody may go back from a higher one.
if (process.platform === 'linux') setPriority(Math.max(getPriority(), NICE))

parentPort?.on('message', (parameters: Argon2Parameters) => parentPort?.postMessage(argon2Sync('argon2id', parameters)))

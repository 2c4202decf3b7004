import { config } from 'zod'

// zod tries whether it may compile its schemas; the policy forbids it and the browser would report the attempt.
config({ jitless: true })

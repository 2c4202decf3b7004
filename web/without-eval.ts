import { config } from 'zod'

// zod probes for eval; the content security policy forbids it and the browser would report the attempt.
config({ jitless: true })

// Drives every unfinished run of the store, also those of workers that died. Start as many workers as you like.
import { once } from 'node:events'
import { createWorker } from './agent.ts'
import { model } from './model.ts'
import { openStore } from './store.ts'

const store = await openStore()
const runtime = createWorker({ model, store, resources: [store], autoResume: ['default'], onClose: 'suspend' })
console.log('The worker resumes unfinished runs. Stop it with Ctrl+C.')
const alive = setInterval(() => undefined, 60_000)
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
clearInterval(alive)
await runtime.close()

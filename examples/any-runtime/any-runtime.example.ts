// The same agent runs in Node.js, Bun, Deno, workerd and a browser. `worker.ts` serves it in workerd.
import { answer } from './agent.ts'

console.log(await answer('What is 2 + 3?')) // → It is 5. (2 turns)

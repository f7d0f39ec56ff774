// A process is killed while an agent works. Another process resumes the run: the payment is not repeated.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync } from 'node:fs'
import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { openSqliteStore } from '@parley/sqlite'
import { scriptedModel } from '@parley/testing' // or: createOpenAI().model('gpt-5-mini') from '@parley/openai'
import * as z from 'zod'

// #region agent
const pay = defineTool({
  name: 'pay',
  description: 'Pays an invoice.',
  input: z.object({ invoice: z.string() }),
  effect: 'once', // the default: never executed a second time
  execute: ({ invoice }) => appendFileSync('payments.txt', `${invoice}\n`),
})
const mail = defineTool({
  name: 'mail',
  description: 'Says thank you.',
  input: z.object({ to: z.string() }),
  effect: 'idempotent', // may be executed again
  execute: () => (process.argv[2] === 'first' ? process.kill(process.pid, 'SIGKILL') : 'sent'),
})
// #endregion
// A process that resumes the run calls the model from the conversation so far.
const model = scriptedModel(({ messages }) => {
  const results = messages.filter(message => message.role === 'tool').length
  if (results === 0) return { toolCalls: [{ name: 'pay', input: { invoice: 'A-7' } }] }
  return results === 1 ? { toolCalls: [{ name: 'mail', input: { to: 'ann' } }] } : 'Paid and thanked.'
})
const clerk = defineAgent({ name: 'clerk', model, tools: [pay, mail] })

if (process.argv[2] === undefined) {
  const [, signal] = (await once(fork(import.meta.filename, ['first']), 'exit')) as [number | null, string]
  console.log(signal, readFileSync('payments.txt', 'utf8').trim()) // → SIGKILL A-7
  await resume()
} else {
  await using store = await openSqliteStore({ path: 'runs.db' })
  await using runtime = createRuntime({ store, agents: [clerk] })
  await runtime.invoke('clerk', 'Pay invoice A-7 and thank Ann.')
}

async function resume(): Promise<void> {
  // #region resume
  await using store = await openSqliteStore({ path: 'runs.db' })
  await using runtime = createRuntime({ store, agents: [clerk], isWorkerGone: () => true }) // without it: after `leaseMs`
  const { runs } = await runtime.resumeAll()
  for (const run of runs) console.log((await run.orThrow()).text) // → Paid and thanked.
  // #endregion
  console.log(readFileSync('payments.txt', 'utf8').trim()) // → A-7
}

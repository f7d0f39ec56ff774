// A support bot asks before it pays. One process ends with the question, another one decides and pays, over one SQLite file.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { openSqliteStore } from '@parley/sqlite'
import { scriptedModel } from '@parley/testing'
import * as z from 'zod'

const refund = defineTool({
  name: 'refund',
  description: 'Pays money back to a customer.',
  input: z.object({ order: z.string(), euros: z.number() }),
  permission: { effect: 'ask', roles: ['support'], prompt: 'Pay this back?' },
  execute: ({ order, euros }) => `Paid ${euros} euros for ${order}.`,
})
// A process that resumes the run calls the model from the conversation so far.
const model = scriptedModel(({ messages }) =>
  messages.at(-1)?.role === 'tool'
    ? 'Your money is on its way.'
    : { toolCalls: [{ name: 'refund', input: { order: 'A-7', euros: 12 } }] },
)
const bot = defineAgent({ name: 'support', model, tools: [refund] })

await using store = await openSqliteStore({ path: 'support.db' })
await using runtime = createRuntime({ agents: [bot], store })

const [step = 'ask'] = process.argv.slice(2)
if (step === 'ask') {
  const { status } = await runtime.run('support', 'My order A-7 never arrived.', { sessionId: 'ann' }).result
  console.log(status) // → suspended
  await runtime.close()
  await once(fork(import.meta.filename, ['approve']), 'exit')
} else {
  const [request] = await runtime.approvals({ role: 'support' })
  console.log(request?.prompt, request?.input) // → Pay this back? { order: 'A-7', euros: 12 }
  const by = { id: 'sam', roles: ['support'] }
  const run = await runtime.decide(request?.approvalId ?? '', { decision: { type: 'approved' }, by })
  console.log((await run.orThrow()).text) // → Your money is on its way.
}

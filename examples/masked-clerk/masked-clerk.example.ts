// Personal data is masked before it is stored or sent to a model. A run that is suspended for approval survives its process, and
// the tool in the next process still receives the real values.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createFileVault } from '@parley/middleware/node'
import { createPiiMask } from '@parley/middleware/pii'
import { openSqliteStore } from '@parley/sqlite'
import { scriptedModel } from '@parley/testing'
import * as z from 'zod'

const directory = await mkdtemp(join(tmpdir(), 'parley-example-'))
const database = join(directory, 'runs.db')
const payments: string[] = []

/** Objects that each process creates. */
async function openProcess(answers: Parameters<typeof scriptedModel>[0]) {
  const pii = createPiiMask({ vault: createFileVault({ directory: join(directory, 'vault') }) })
  const pay = defineTool({
    name: 'pay',
    description: 'Pays to an account.',
    input: z.object({ iban: z.string().length(22), amount: z.number() }),
    permission: 'ask',
    execute: ({ iban, amount }) => void payments.push(`${amount} to ${iban}`),
  })
  const model = scriptedModel(answers)
  const agent = defineAgent({
    name: 'clerk',
    model,
    tools: [pii.protect(pay)],
    inputFilters: [pii.inputFilter],
    middleware: [pii.middleware],
  })
  const store = await openSqliteStore({ path: database })
  const runtime = createRuntime({ store, agents: [agent] })
  return { pii, model, runtime, store }
}

const first = await openProcess([{ toolCalls: [{ name: 'pay', input: { iban: '[IBAN_1]', amount: 40 } }] }])
const waiting = await first.runtime.run('clerk', 'Pay 40 to DE89370400440532013000.').result
assert.ok(waiting.status === 'suspended')
const [request] = waiting.approvals
console.log(request?.input) // → { iban: '[IBAN_1]', amount: 40 }
await first.runtime.close()
await first.store[Symbol.asyncDispose]()

const second = await openProcess(['Paid to [IBAN_1].'])
const run = await second.runtime.decide(waiting.runId, request?.approvalId ?? '', { decision: { type: 'approved' } })
const { text, sessionId } = await run.orThrow()
console.log(payments.join()) // → 40 to DE89370400440532013000
console.log(text) // → Paid to [IBAN_1].
console.log(second.pii.restore(text, { scope: 'default', sessionId })) // → Paid to DE89370400440532013000.
assert.ok(!JSON.stringify(second.model.requests).includes('DE89'))

await second.runtime.close()
await second.store[Symbol.asyncDispose]()
assert.ok(!(await readFile(database, 'latin1')).includes('DE89370400440532013000'))
second.pii.forget({ scope: 'default', sessionId })
console.log(second.pii.restore(text, { scope: 'default', sessionId })) // → Paid to [IBAN_1].
await rm(directory, { recursive: true })

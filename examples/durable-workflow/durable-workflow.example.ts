// A workflow from a file is interrupted, another process resumes it, and one of its steps waits for approval.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { openSqliteStore } from '@parley/sqlite'
import { scriptedModel } from '@parley/testing'
import { defineWorkflow, parseWorkflow, type WorkflowResult } from '@parley/workflow'
import * as z from 'zod'

const prices: Readonly<Record<string, number>> = { A1: 1200, B2: 9900, C3: 300 }
const looked: string[] = []
const paid: string[] = []
let network = Promise.withResolvers<void>()

const lookUp = defineTool({
  name: 'look_up',
  description: 'Finds an order.',
  input: z.object({ order: z.string() }),
  effect: 'read',
  async execute({ order }, { signal }) {
    signal.addEventListener('abort', () => network.reject(signal.reason))
    if (order === 'C3') await network.promise
    looked.push(order)
    return { order, cents: prices[order] ?? 0 }
  },
})
const payBack = defineTool({
  name: 'pay_back',
  description: 'Pays money back, once.',
  input: z.object({ order: z.string(), cents: z.int() }),
  execute: ({ order, cents }) => {
    paid.push(order)
    return `${order}: ${cents}`
  },
})
const clerk = defineAgent({ name: 'clerk', model: scriptedModel(['Three orders were paid back.']) })

const file = await readFile(new URL('refunds.json', import.meta.url), 'utf8')
const refunds = defineWorkflow(parseWorkflow(JSON.parse(file)), { agents: [clerk], tools: [lookUp, payBack] })
await using store = await openSqliteStore({ path: ':memory:' })

// The first process stops while it looks up C3. A1 is paid back, and B2 is suspended for approval.
const first = createRuntime({ agents: [refunds], store })
const run = first.run('refunds', 'go', { variables: { orders: ['A1', 'B2', 'C3'] } })
let looking = false
for await (const event of run) {
  looking ||= event.type === 'tool.started' && event.callId === 'refunds[2].found'
  if (looking && paid.length === 1) break
}
await first.close({ onClose: 'suspend', drainMs: 0 })
console.log(looked.join(), '|', paid.join()) // → A1,B2 | A1

// The second process resumes the run: finished look-ups and payments do not run again.
network = Promise.withResolvers<void>()
network.resolve()
await using second = createRuntime({ agents: [refunds], store })
const resumed = await second.resume(run.runId)
const waiting = await resumed.result
console.log(looked.join(), '|', paid.join()) // → A1,B2,C3 | A1,C3
assert(waiting.status === 'suspended')
const [request] = waiting.approvals
console.log(request?.prompt) // → Refund 9900 cents for order B2?

const decision = { type: 'approved' } as const
const by = { id: 'sam', roles: ['support'] }
const decided = await second.decide(run.runId, request?.approvalId ?? '', { decision, by })
const { status, output } = await decided.orThrow()
console.log(status, (output as WorkflowResult).result) // → completed Three orders were paid back.
console.log(paid.join()) // → A1,C3,B2

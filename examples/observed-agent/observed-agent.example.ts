// A run is shown as log lines, as an audit log that reveals changes, and as OpenTelemetry spans.
import assert from 'node:assert/strict'
import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createAuditLog, verifyAuditLog, type AuditRecord } from '@parley/middleware/audit-log'
import { hooks } from '@parley/middleware/hooks'
import { logging } from '@parley/middleware/logging'
import { createOtel } from '@parley/otel'
import { scriptedModel } from '@parley/testing'
import * as z from 'zod'

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
const exporter = new InMemorySpanExporter()
const tracer = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }).getTracer('story')

const lines: string[] = []
const log = (message: string): void => void lines.push(message)
const records: AuditRecord[] = []
const audit = createAuditLog({ write: record => void records.push(record) })
const turns: number[] = []

const refund = defineTool({
  name: 'refund',
  description: 'Pays back.',
  input: z.object({ order: z.string() }),
  execute: ({ order }) => `Order ${order} is refunded.`,
})
const agent = defineAgent({
  name: 'desk',
  model: scriptedModel([{ toolCalls: [{ name: 'refund', input: { order: '7' } }] }, 'Your money is on its way.']),
  tools: [refund],
  middleware: [
    createOtel({ tracer }),
    logging({ logger: { debug() {}, info: log, warn: log, error: log } }),
    audit.middleware,
    hooks({ afterTurn: (_, { usage }) => void turns.push(usage.output) }),
  ],
})
await using runtime = createRuntime({ agents: [agent] })
const principal = { id: 'ann', roles: ['support'] }
await runtime.run('desk', 'Refund order 7.', { principal }).result

console.log(lines.join(', '))
// → run started, model answered, tool started, tool ended, model answered, run ended
for (const { name } of exporter.getFinishedSpans()) console.log(name)
// → chat script
// → execute_tool refund
// → chat script
// → invoke_agent desk
console.log(turns.join(' ')) // → 5 5

await audit.flush()
const started = records.find(record => record.action === 'tool.started')
console.log(started?.principal?.id, started?.details['name']) // → ann refund
assert.deepEqual(await verifyAuditLog(records), { ok: true, records: 7 })
const forged = records.map(record => (record === started ? { ...record, principal: { id: 'ben', roles: [] } } : record))
console.log((await verifyAuditLog(forged)).ok) // → false

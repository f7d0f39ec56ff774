import { appendFileSync } from 'node:fs'
import { once } from 'node:events'
import { defineTool, toErrorInfo, type Store } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { openPostgresStore } from '@parley/postgres'
import { openSqliteStore } from '@parley/sqlite'
import type { Place } from './matrix-worker.ts'
import { calling, modelOf } from './parts.ts'

const place = JSON.parse(process.argv[2] ?? '') as Place
const effects = process.argv[3] ?? ''

function openStore(): Promise<Store> {
  if (place.type === 'sqlite') return openSqliteStore({ path: place.path, busyTimeoutMs: 20_000 })
  return openPostgresStore({ url: place.url, schema: place.schema, connections: 4 })
}

/** Resumes each run whose id arrives in a message, one at a time, and sends back its status or error code. */
async function race(): Promise<void> {
  await using store = await openStore()
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object' },
    execute: (_, { idempotencyKey }) => {
      appendFileSync(effects, `${idempotencyKey}\n`)
      return 'paid'
    },
  })
  const model = modelOf(turn => (turn < 2 ? calling(turn, 'pay') : 'All done.'))
  const agents = [defineAgent({ name: 'worker', model, tools: [pay] })]
  await using runtime = createRuntime({ store, agents, worker: String(process.pid) })
  process.send?.('ready')
  for (;;) {
    const [runId] = (await once(process, 'message')) as [string]
    if (runId === 'end') break
    try {
      const run = await runtime.resume(runId)
      const result = await run.result
      process.send?.(result.status === 'interrupted' ? result.error.code : result.status)
    } catch (error) {
      process.send?.(toErrorInfo(error).code)
    }
  }
  process.disconnect()
}

await race()

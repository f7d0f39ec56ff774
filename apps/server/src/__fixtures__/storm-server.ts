import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineTool, type Model } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { openSqliteStore } from '@parley/sqlite'
import { openServer } from '../open-server.ts'

/** What a server process needs. */
export interface ServerOrder {
  readonly path: string
  /** The file that gets a line with the id of the run for each payment. */
  readonly ledger: string
  readonly leaseMs: number
  readonly port: number
  /** Name of the host. A replaced container has another one. */
  readonly worker: string
}

const PIECES = 12
const PIECE_MS = 60

/** A model that streams slowly, pays once, and streams again. */
const model: Model = {
  provider: 'storm',
  id: 'payer',
  info: {},
  async *stream({ messages }) {
    for (let piece = 0; piece < PIECES; piece++) {
      await sleep(PIECE_MS)
      yield { type: 'text.delta', text: `piece ${piece} ` }
    }
    const isPaid = messages.some(({ role }) => role === 'tool')
    if (!isPaid) yield { type: 'tool-call', callId: 'c1', name: 'pay', arguments: '{}' }
    yield { type: 'finish', reason: isPaid ? 'stop' : 'tool-calls' }
  },
}

async function serve({ path, ledger, leaseMs, port, worker }: ServerOrder): Promise<void> {
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object' },
    effect: 'once',
    execute: (_, { run }) => {
      // One system call, so that the line survives a `kill -9`.
      appendFileSync(ledger, `${run.runId}\n`)
      return 'paid'
    },
  })
  const agents = [defineAgent({ name: 'payer', model, tools: [pay] })]
  const store = await openSqliteStore({ path, busyTimeoutMs: 20_000 })
  // Another host cannot look up a process, so only the lease tells that it is dead.
  const runtime = createRuntime({ agents, store, leaseMs, worker, isWorkerGone: () => false })
  const server = await openServer({ runtime, port, resumeEveryMs: 500 })
  process.send?.(server.port)
}

await serve(JSON.parse(process.argv[2] ?? '') as ServerOrder)

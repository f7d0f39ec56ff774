import { Client } from 'pg'
import { createRuntime } from '@parley/engine'
import { openPostgresStore } from '@parley/postgres'
import { die } from './die.ts'
import { groupAgent } from './group-agent.ts'
import { notingAppends } from './noting-appends.ts'

/** Where the process kills itself: before a shared statement is sent, once it is sent, or once the server has answered. */
export type GroupKillPoint = 'before' | 'sent' | 'answered'

export interface GroupOrder {
  readonly url: string
  readonly schema: string
  /** File with one line for each executed tool call. */
  readonly effects: string
  /** File with one line for each acknowledged append: the run and its last entry. */
  readonly acknowledged: string
  readonly runs: number
  /** Number of the statement at which the process dies. */
  readonly statement: number
  readonly point: GroupKillPoint
}

const order = JSON.parse(process.argv[2] ?? '') as GroupOrder

/** Statements that write appends of several runs, with the lock and the commit of those that start runs. */
function isShared(query: unknown): boolean {
  if (query === 'begin' || query === 'commit') return true
  return typeof query === 'object' && query !== null && 'name' in query && String(query.name).startsWith('parley-')
}

function dieAtStatement(): void {
  let count = 0
  const send = Client.prototype.query as (this: Client, ...args: unknown[]) => unknown
  Client.prototype.query = function query(this: Client, ...args: unknown[]): unknown {
    if (!isShared(args[0]) || ++count !== order.statement) return send.apply(this, args)
    if (order.point === 'before') die()
    const sent = send.apply(this, args)
    // The statement leaves the process in this turn of the event loop. The server may execute it, but this process does not read the answer.
    if (order.point === 'sent') setImmediate(die)
    return order.point === 'sent' ? new Promise(() => {}) : (sent as Promise<unknown>).finally(die)
  } as typeof Client.prototype.query
}

async function drive(): Promise<void> {
  await using store = await openPostgresStore({ url: order.url, schema: order.schema, connections: 4 })
  const noting = notingAppends(store, order.acknowledged)
  await using runtime = createRuntime({ store: noting, agents: [groupAgent(order.effects)], worker: 'doomed' })
  dieAtStatement()
  const runs = Array.from({ length: order.runs }, (_, index) =>
    runtime.run('worker', 'go', { runId: `run-${index}`, sessionId: `session-${index}` }),
  )
  await Promise.all(runs.map(run => run.result))
}

await drive()

import { createRuntime } from '@parley/engine'
import { openSqliteStore } from '@parley/sqlite'
import Database from 'better-sqlite3'
import { die } from './die.ts'
import { groupAgent } from './group-agent.ts'
import { notingAppends } from './noting-appends.ts'

/** Where the process kills itself: before a statement, or once a commit is done. */
export type SqliteKillPoint = 'before' | 'committed'

export interface SqliteGroupOrder {
  readonly path: string
  /** File with one line for each executed tool call. */
  readonly effects: string
  /** File with one line for each acknowledged append: the run and its last entry. */
  readonly acknowledged: string
  readonly runs: number
  /** Number of the statement or of the commit at which the process dies. */
  readonly statement: number
  readonly point: SqliteKillPoint
}

const order = JSON.parse(process.argv[2] ?? '') as SqliteGroupOrder

interface Statement {
  readonly source: string
}

/** Statements that begin, write, end or undo. Those that commit end a transaction, or are one themselves. */
function dieAtStatement(): void {
  const probe = new Database(':memory:')
  const statement = Object.getPrototypeOf(probe.prepare('select 1')) as { run: (...values: unknown[]) => unknown }
  probe.close()
  const { run } = statement
  let count = 0
  let depth = 0
  statement.run = function runStatement(this: Statement, ...values: unknown[]): unknown {
    const isCommit = /^commit/i.test(this.source) || (depth === 0 && /^insert/i.test(this.source))
    if (order.point === 'before' && ++count === order.statement) die()
    const result = run.apply(this, values)
    if (/^begin/i.test(this.source)) depth = 1
    if (/^(?:commit|rollback$)/i.test(this.source)) depth = 0
    if (order.point === 'committed' && isCommit && ++count === order.statement) die()
    return result
  }
}

await using store = await openSqliteStore({ path: order.path })
await using runtime = createRuntime({
  store: notingAppends(store, order.acknowledged),
  agents: [groupAgent(order.effects)],
  worker: 'doomed',
})
dieAtStatement()
const runs = Array.from({ length: order.runs }, (_, index) =>
  runtime.run('worker', 'go', { runId: `run-${index}`, sessionId: `session-${index}` }),
)
await Promise.all(runs.map(run => run.result))

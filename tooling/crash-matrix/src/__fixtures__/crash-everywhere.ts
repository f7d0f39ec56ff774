import { readFileSync, writeFileSync } from 'node:fs'
import type { Store } from '@parley/core'
import { examine, type Crashes } from './examine-crashes.ts'
import type { Place, WorkOrder } from './matrix-worker.ts'
import type { DeathPoint } from './mortal-store.ts'
import { runWorker } from './run-worker.ts'

/** The number of concurrent processes. */
const WIDTH = 3

export interface Matrix {
  /** Path of the bundled worker. */
  readonly script: string
  readonly place: Place
  readonly effects: string
  /** A store on the database of `place`. */
  readonly store: Store
}

/**
 * Kills a process before and after every append of a scenario and resumes the runs in another process. Compares the
 * result with an undisturbed run.
 */
export async function crashEverywhere(matrix: Matrix, scenario: string): Promise<Crashes> {
  const { script, place, effects } = matrix
  writeFileSync(effects, '')
  const order = (rest: Pick<WorkOrder, 'sessions' | 'death'>): WorkOrder => ({ place, effects, scenario, ...rest })
  const undisturbed = `${scenario} undisturbed`
  const baseline = await runWorker(script, order({ sessions: [undisturbed] }))
  const expected = baseline.killed ? undefined : baseline.reports[0]
  if (expected === undefined || expected.error !== undefined) throw new Error(`${scenario}: ${expected?.error}`)
  const points = Array.from({ length: expected.appends }, (_, index) => index + 1).flatMap(append => [
    { append, side: 'before' as const },
    { append, side: 'after' as const },
  ])
  let killPoints = 0
  await inParallel(points, async death => {
    const end = await runWorker(script, order({ sessions: [sessionOf(scenario, death)], death }))
    // Calls that end at the same moment share an append, so a run can have fewer appends than the undisturbed one.
    if (end.killed) killPoints += 1
    else if (death.append < expected.appends - 2) throw new Error(`${sessionOf(scenario, death)}: the process was not killed`)
  })
  const sessions = points.map(death => sessionOf(scenario, death))
  const resumed = await runWorker(script, order({ sessions }))
  if (resumed.killed) throw new Error(`${scenario}: the resuming process was killed`)
  const executions = countLines(readFileSync(effects, 'utf8'))
  return examine(matrix.store, { executions, undisturbed, expected, sessions, killPoints, reports: resumed.reports })
}

function countLines(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const line of text.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}

function sessionOf(scenario: string, { append, side }: DeathPoint): string {
  return `${scenario}, killed ${side} append ${append}`
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values()
  await Promise.all(
    Array.from({ length: WIDTH }, async () => {
      for (const item of rest) await work(item)
    }),
  )
}

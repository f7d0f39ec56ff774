import { readFileSync, writeFileSync } from 'node:fs'
import type { Store } from '@parley/core'
import { examine, type Crashes } from './examine-crashes.ts'
import type { Place, SessionOrder, SessionReport, WorkOrder } from './matrix-worker.ts'
import { killWorker } from './kill-worker.ts'
import type { Heir } from './open-heir.ts'
import type { DeathPoint } from './stoppable-store.ts'

/** The processes of a matrix, and what they leave behind. */
export interface Ground {
  /** Path of the bundled worker. */
  readonly script: string
  /** The process that is not killed. */
  readonly heir: Heir
  readonly place: Place
  /** The file that gets a line for each effect of a handler. */
  readonly effects: string
}

/** The reports of processes that were not killed, by scenario. */
export type Undisturbed = ReadonlyMap<string, SessionReport>

export interface Matrix extends Ground {
  readonly undisturbed: Undisturbed
  /** A store on the database of `place`. */
  readonly store: Store
}

/** Drives each scenario to its end in one process. Returns the reports by scenario. */
export async function runUndisturbed({ heir, place, effects }: Ground, scenarios: readonly string[]): Promise<Undisturbed> {
  writeFileSync(effects, '')
  const sessions = scenarios.map(scenario => ({ scenario, sessionId: undisturbedOf(scenario) }))
  const reports = await heir.finish({ place, effects, sessions })
  return new Map(reports.map((report, index) => [scenarios[index] ?? '', report]))
}

/**
 * Kills processes before and after every append of a scenario and resumes the runs in another process. Compares the
 * result with an undisturbed run. A process of its own for each append would take a minute of computing, so one process stops
 * a session before each append and is then killed, and another one does the same after each append. The heir resumes them all.
 */
export async function crashEverywhere(matrix: Matrix, scenario: string): Promise<Crashes> {
  const { script, heir, place, effects } = matrix
  const order = (sessions: readonly SessionOrder[]): WorkOrder => ({ place, effects, sessions })
  const undisturbed = undisturbedOf(scenario)
  const expected = matrix.undisturbed.get(scenario)
  if (expected === undefined || expected.error !== undefined) throw new Error(`${scenario}: ${expected?.error}`)
  const deaths = (['before', 'after'] as const).map(side =>
    Array.from({ length: expected.appends }, (_, index): DeathPoint => ({ append: index + 1, side })),
  )
  const killPoints = await Promise.all(
    deaths.map(async points => {
      const sessions = points.map(death => ({ scenario, sessionId: sessionOf(scenario, death), death }))
      const stopped = await killWorker(script, order(sessions))
      for (const [index, { sessionId, death }] of sessions.entries()) {
        // Calls that end at the same moment share an append, so a run can have fewer appends than the undisturbed one.
        const mayEnd = death.append >= expected.appends - 2
        if (!stopped.has(index) && !mayEnd) throw new Error(`${sessionId}: the session did not stop`)
      }
      return stopped.size
    }),
  )
  const sessions = deaths.flat().map(death => sessionOf(scenario, death))
  const reports = await heir.finish(order(sessions.map(sessionId => ({ scenario, sessionId }))))
  const executions = countLines(readFileSync(effects, 'utf8'))
  const sum = killPoints.reduce((total, count) => total + count, 0)
  return examine(matrix.store, { executions, undisturbed, expected, sessions, killPoints: sum, reports })
}

function countLines(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const line of text.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}

function undisturbedOf(scenario: string): string {
  return `${scenario} undisturbed`
}

function sessionOf(scenario: string, { append, side }: DeathPoint): string {
  return `${scenario}, killed ${side} append ${append}`
}

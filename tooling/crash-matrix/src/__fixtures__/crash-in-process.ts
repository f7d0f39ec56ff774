import type { Store } from '@parley/core'
import { examine, type Crashes } from './examine-crashes.ts'
import type { SessionReport } from './matrix-worker.ts'
import { driveSession, type Ground } from './mortal-process.ts'
import type { Scenario } from './scenario.ts'
import type { DeathPoint } from './stoppable-store.ts'

/**
 * Which appends a process is stopped before: those with an odd or with an even number. It is stopped after each of the
 * other appends.
 */
export type Parity = 'odd' | 'even'

/**
 * Stops a process before or after every append of a scenario, and resumes its runs in another one. The processes share this
 * one, so that many scenarios take seconds; `crashEverywhere` kills real processes.
 */
export async function crashInProcess(store: Store, scenario: Scenario, parity: Parity): Promise<Crashes> {
  const { name, isRace } = scenario
  const ground: Ground = { store, scenario, executions: new Map(), gone: new Set(), done: new Map() }
  const undisturbed = `${name} undisturbed`
  const expected = await driveSession(ground, undisturbed)
  if (expected === undefined || expected.error !== undefined) throw new Error(`${name}: ${expected?.error}`)
  const sessions: string[] = []
  const reports: SessionReport[] = []
  let killPoints = 0
  for (const death of pointsOf(expected.appends, parity)) {
    const session = `${name}, stopped ${death.side} append ${death.append}`
    const report = await driveSession(ground, session, death)
    if (report === undefined) killPoints += 1
    sessions.push(session)
    reports.push(report ?? (await driveSession(ground, session)) ?? broken)
  }
  const { executions } = ground
  return examine(store, { executions, undisturbed, expected, sessions, killPoints, reports, isRace })
}

const broken: SessionReport = { appends: 0, status: 'broken', transcript: [], error: 'the resuming process was killed' }

function* pointsOf(appends: number, parity: Parity): Generator<DeathPoint> {
  for (let append = 1; append <= appends; append += 1) {
    const isBefore = append % 2 === (parity === 'odd' ? 1 : 0)
    yield { append, side: isBefore ? 'before' : 'after' }
  }
}

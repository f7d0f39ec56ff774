import { ZERO_USAGE, type Limits } from '@parley/core'
import { expect, it } from 'vitest'
import { initialState } from '../../journal/run-state.ts'
import type { SpendingRun } from './delegations.ts'
import type { ParentCall } from './parent-call.ts'
import { limitsAtStart, shareLimits } from './share-limits.ts'
import type { SpentOfRuns } from './spent-of-runs.ts'

/** A run that has used these tokens and dollars. */
function spending(tokens: number, usd: number, running?: ReadonlyMap<string, SpendingRun>): SpendingRun {
  const usage = { ...ZERO_USAGE, input: tokens }
  const state = { ...initialState(), startedAt: 0, usage, cost: { usd, pricedAt: '2026-01-01' } }
  return { state, delegations: { running } }
}

/** A parent run that has spent 30 tokens and $3 itself, with two child runs that have spent 20 and 10. */
function family(limits: Limits) {
  const child = spending(20, 2)
  const sibling = spending(10, 1)
  const { state, delegations } = spending(
    30,
    3,
    new Map([
      ['child', child],
      ['sibling', sibling],
    ]),
  )
  const run = { state, delegations, limited: { limitsWith: () => limits }, clock: { now: () => 4_000 } }
  return { child, parent: { run, callId: 'c' } as unknown as ParentCall }
}

it('a child run may spend what the parent run and the other child runs leave, including what it has spent itself', () => {
  const { child, parent } = family({ maxTokens: 100, maxCost: 10 })
  expect(shareLimits({}, { child }, parent)).toMatchObject({ maxTokens: 60, maxCost: 6 })
  expect(shareLimits({ maxTokens: 50, maxCost: 5 }, { child }, parent)).toMatchObject({ maxTokens: 50, maxCost: 5 })
})

it('a run below many levels may spend all that is left of the root run, and each level is read once', () => {
  let reads = 0
  const counted = (tokens: number, running?: ReadonlyMap<string, SpendingRun>): SpendingRun => {
    const run = spending(tokens, 0, running)
    return {
      get state() {
        reads++
        return run.state
      },
      delegations: run.delegations,
    }
  }
  const LEVELS = 20
  const child = counted(1)
  const chain = [child]
  for (let level = 1; level < LEVELS; level++) chain.unshift(counted(1, new Map([['below', chain[0] as SpendingRun]])))
  const callOf = (level: number): ParentCall => {
    const run = chain[level] as SpendingRun
    const limitsWith = (spent: SpentOfRuns) =>
      level === 0 ? { maxTokens: 100 } : shareLimits({}, { child: run, spent }, callOf(level - 1))
    return { run: Object.assign(run, { limited: { limitsWith } }), callId: 'c' } as unknown as ParentCall
  }
  const limits = shareLimits({}, { child }, callOf(LEVELS - 2))
  expect(limits.maxTokens).toBe(100 - (LEVELS - 1))
  expect(reads).toBeLessThan(5 * LEVELS)
})

it('a child run that begins may spend what is left of its parent run, and never less than nothing', () => {
  expect(limitsAtStart({}, family({ maxTokens: 100, maxCost: 10 }).parent)).toMatchObject({ maxTokens: 40, maxCost: 4 })
  expect(limitsAtStart({}, family({ maxTokens: 50, maxCost: 5 }).parent)).toMatchObject({ maxTokens: 0, maxCost: 0 })
})

it('a child run has one level of child runs less than its parent run, and the rest of its time', () => {
  const { parent } = family({ maxDepth: 2, maxDurationMs: 10_000 })
  expect(limitsAtStart({}, parent)).toMatchObject({ maxDepth: 1, maxDurationMs: 6_000 })
  expect(limitsAtStart({ maxDepth: 0, maxDurationMs: 1_000 }, parent)).toMatchObject({
    maxDepth: 0,
    maxDurationMs: 1_000,
  })
})

it('the time that a run spends suspended is taken from neither its own duration nor that of its child runs', () => {
  const { child, parent } = family({ maxDurationMs: 10_000 })
  const idle = (run: SpendingRun, startedAt: number, idleMs: number): void => {
    Object.assign(run.state, { startedAt, idleMs })
  }
  // The parent run may work until 11,000. The child run began to work at 3,000.
  idle(parent.run, 0, 1_000)
  idle(child, 2_500, 500)
  expect(shareLimits({}, { child }, parent)).toMatchObject({ maxDurationMs: 8_000 })
  expect(limitsAtStart({}, parent)).toMatchObject({ maxDurationMs: 7_000 })
})

import fc from 'fast-check'
import { afterAll, vi } from 'vitest'

// Every run uses the same cases, so that a failure is caused by a change of the code and not by new cases.
// PARLEY_SEED=random chooses new cases. A failure prints its seed, and PARLEY_SEED=N repeats the cases of seed N.
const { PARLEY_SEED: seed = '4711' } = process.env
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) })

// Test files share their process: what one of them replaces must not reach the next.
afterAll(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

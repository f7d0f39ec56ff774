import { describeCrashMatrix } from './__fixtures__/describe-crash-matrix.ts'
import { sampleOf } from '@parley-tooling/test-run/sample-of'
import { scenarios } from './__fixtures__/scenarios.ts'

// `crash-matrix.deep.test.ts` tries every scenario.
describeCrashMatrix(sampleOf(scenarios, 3).map(({ name }) => name))

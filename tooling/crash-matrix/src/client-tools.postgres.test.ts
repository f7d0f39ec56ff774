import { clientRaceScenarios } from './__fixtures__/client-race-scenarios.ts'
import { describeClientMatrix } from './__fixtures__/describe-client-matrix.ts'
import { sampleOf } from '@parley-tooling/test-run/sample-of'

// `client-tools.deep.test.ts` tries every scenario.
describeClientMatrix(sampleOf(clientRaceScenarios, 4))

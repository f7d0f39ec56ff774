import { expect, it } from 'vitest'
import * as engine from './index.ts'

it('exports what the package promises at run time', () => {
  expect(Object.keys(engine).toSorted()).toEqual([
    'APPROVAL_TIMED_OUT',
    'BUILT_IN_VARIABLES',
    'DEFAULT_LIMITS',
    'Transcript',
    'agentTool',
    'bestOf',
    'compileSchema',
    'createEventBus',
    'createMemoryDeadLetters',
    'createMemoryStore',
    'createRuntime',
    'createTokenCounter',
    'decide',
    'defineAgent',
    'evolve',
    'fanOut',
    'initialState',
    'isValidTranscript',
    'judge',
    'loadRun',
    'modelSummary',
    'openRequests',
    'phiCompaction',
    'promptTemplate',
    'repairTranscript',
    'slidingWindow',
    'splitTemplate',
    'summarize',
    'systemClock',
    'truncateOldest',
    'turnDigest',
    'webhookApproval',
  ])
})

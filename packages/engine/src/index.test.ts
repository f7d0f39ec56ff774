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
    'checkDecision',
    'createEventBus',
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
    'loadRunResult',
    'modelSummary',
    'openRequests',
    'outermostRun',
    'phiCompaction',
    'promptTemplate',
    'repairTranscript',
    'restoreRequest',
    'slidingWindow',
    'splitTemplate',
    'summarize',
    'truncateOldest',
    'turnDigest',
    'webhookApproval',
  ])
})

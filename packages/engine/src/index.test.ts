import { expect, it } from 'vitest'
import * as engine from './index.ts'

it('@parley/engine exports exactly these values at run time', () => {
  expect(Object.keys(engine).toSorted()).toEqual([
    'APPROVAL_TIMED_OUT',
    'BUILT_IN_VARIABLES',
    'DEFAULT_LIMITS',
    'Transcript',
    'agentTool',
    'checkDecision',
    'createMemoryStore',
    'createRuntime',
    'createTokenCounter',
    'decide',
    'defineAgent',
    'evolve',
    'initialState',
    'isValidTranscript',
    'loadRun',
    'loadRunResult',
    'openRequests',
    'outermostRun',
    'promptTemplate',
    'repairTranscript',
    'restoreRequest',
    'splitTemplate',
  ])
})

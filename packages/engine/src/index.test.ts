import { expect, it } from 'vitest'
import * as host from './host.ts'
import * as engine from './index.ts'

it('@parley/engine exports exactly these values at run time', () => {
  expect(Object.keys(engine).toSorted()).toEqual([
    'APPROVAL_TIMED_OUT',
    'BUILT_IN_VARIABLES',
    'DEFAULT_LIMITS',
    'RunFailedError',
    'Transcript',
    'agentTool',
    'applyContextPolicy',
    'createRuntime',
    'createTokenCounter',
    'decide',
    'defineAgent',
    'describeFork',
    'effectiveSystemPrompt',
    'estimateTokens',
    'evolve',
    'initialState',
    'isValidTranscript',
    'loadRun',
    'loadRunMessages',
    'loadRunTree',
    'openRequests',
    'promptTemplate',
    'renderTemplate',
    'repairTranscript',
    'restoreRequest',
    'splitTemplate',
  ])
})

it('the engine exports what hosts need on a subpath of its own', () => {
  expect(Object.keys(host).toSorted()).toEqual([
    'checkDecision',
    'findClientCall',
    'loadRunResult',
    'rootRun',
    'toDelegateResult',
    'toSubmission',
  ])
})

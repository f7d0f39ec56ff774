import { expect, it } from 'vitest'
import * as host from './host.ts'
import * as engine from './index.ts'
import * as journal from './journal.ts'

it('@parley/engine exports exactly these values at run time', () => {
  expect(Object.keys(engine).toSorted()).toEqual([
    'BUILT_IN_VARIABLES',
    'DEFAULT_LIMITS',
    'RunFailedError',
    'agentTool',
    'applyContextPolicy',
    'createRuntime',
    'createTokenCounter',
    'defineAgent',
    'effectiveSystemPrompt',
    'estimateTokens',
    'isAgentTool',
    'promptTemplate',
    'renderTemplate',
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

it('the engine exports what readers of journals need on a subpath of its own', () => {
  expect(Object.keys(journal).toSorted()).toEqual([
    'APPROVAL_TIMED_OUT',
    'Transcript',
    'decide',
    'describeFork',
    'evolve',
    'initialState',
    'isValidTranscript',
    'loadRun',
    'loadRunMessages',
    'loadRunTree',
    'openRequests',
    'repairTranscript',
    'restoreRequest',
  ])
})

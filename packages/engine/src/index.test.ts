import { expect, it } from 'vitest'
import * as engine from './index.ts'

it('exports what the package promises at run time', () => {
  expect(Object.keys(engine).toSorted()).toEqual([
    'DEFAULT_LIMITS',
    'Transcript',
    'compileSchema',
    'createEventBus',
    'createMemoryDeadLetters',
    'createMemoryStore',
    'createRuntime',
    'decide',
    'defineAgent',
    'evolve',
    'initialState',
    'isValidTranscript',
    'loadRun',
    'repairTranscript',
    'systemClock',
  ])
})

import { expect, test } from 'vitest'
import { entriesOf, fields } from '../__fixtures__/entries.ts'
import { toStepStates } from './step-states.ts'

const begin = (callId: string) => fields('tool.started', 1, { callId, name: 'agent', attempt: 1 })
const finish = (callId: string, isFailed = false) =>
  fields('tool.ended', 2, { callId, name: 'agent', ...(isFailed ? { error: { code: 'runtime-closed' } } : {}) })

test('a step that is repeated counts its repetitions, and is done after the last one', () => {
  const first = entriesOf(begin('each[0]'), begin('each[1]'), finish('each[0]'))
  expect(toStepStates(first).get('each')).toEqual({ state: 'open', begun: 2, ended: 1 })
  const all = entriesOf(begin('each[0]'), begin('each[1]'), finish('each[0]'), finish('each[1]'))
  expect(toStepStates(all).get('each')).toEqual({ state: 'ok', begun: 2, ended: 2 })
})

test('a step with one failed repetition stays failed', () => {
  const entries = entriesOf(begin('each[0]'), finish('each[0]', true), begin('each[1]'), finish('each[1]'))
  expect(toStepStates(entries).get('each')?.state).toBe('failed')
})

import type { RunEventOf } from '@parley/core'
import { expect, it } from 'vitest'
import { runNotice } from './run-notice.ts'

const plain = { style: (_: string, text: string) => text, width: 80 } as const
const address = { runId: 'r', sessionId: 's', path: [], seq: 0, at: 0 }
const error = { code: 'model-overloaded', provider: 'p', model: 'm', detail: 'busy' } as const

it('runNotice shows the delay of a retry and the model of a fallback', () => {
  const retry: RunEventOf<'model.retrying'> = {
    ...address,
    type: 'model.retrying',
    turn: 1,
    attempt: 1,
    delayMs: 1_500,
    error,
  }
  expect(runNotice(retry, plain)).toMatch(/Retrying in 1\.5 s\.$/)
  const fallback = { from: 'p/m', to: 'q/n' }
  expect(runNotice({ ...retry, delayMs: 0, fallback }, plain)).toMatch(/Falling back to q\/n\.$/)
})

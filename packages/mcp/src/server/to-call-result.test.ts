import { toolHandoff } from '@parley/core'
import { expect, it } from 'vitest'
import { toCallResult } from './to-call-result.ts'

it('says that a server has no agents to hand over to', () => {
  const text = "'billing' would have to go on, and a server has no agents to hand over to."
  expect(toCallResult(toolHandoff('billing'))).toEqual({ isError: true, content: [{ type: 'text', text }] })
})

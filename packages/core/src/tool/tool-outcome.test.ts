import { describe, expect, it } from 'vitest'
import { isToolOutcome, toolError, toolHandoff, toolOk } from './tool-outcome.ts'
import type * as original from './tool-outcome.ts'

const text = (value: string) => [{ type: 'text', text: value }]

describe('toolOk', () => {
  it('toolOk turns a string into a text part and keeps parts as they are', () => {
    expect(toolOk('done')).toEqual({ type: 'ok', content: text('done') })
    const parts = [{ type: 'file' as const, mediaType: 'image/png', source: { type: 'url' as const, url: 'a' } }]
    expect(toolOk(parts).content).toBe(parts)
  })

  it('toolOk has the field structured only if data is given, even null', () => {
    expect(toolOk('done', null)).toEqual({ type: 'ok', content: text('done'), structured: null })
    expect('structured' in toolOk('done')).toBe(false)
  })
})

describe('toolError', () => {
  it('toolError is not retryable by default', () => {
    expect(toolError('no')).toEqual({ type: 'error', content: text('no'), retryable: false })
  })

  it('toolError keeps error and metadata', () => {
    const error = { code: 'tool-timeout', tool: 't', ms: 1 } as const
    const outcome = toolError('no', { error, retryable: true, metadata: { at: 1 } })
    expect(outcome).toEqual({ type: 'error', content: text('no'), error, retryable: true, metadata: { at: 1 } })
  })
})

describe('toolHandoff', () => {
  it('toolHandoff names its target and carries the conversation by default', () => {
    expect(toolHandoff('b')).toEqual({ type: 'handoff', target: 'b', task: undefined, carryContext: true })
    const alone = toolHandoff({ name: 'b' }, { task: 't', carryContext: false })
    expect(alone).toEqual({ type: 'handoff', target: 'b', task: 't', carryContext: false })
    expect(isToolOutcome(alone)).toBe(true)
  })

  it('toolHandoff rejects a handoff with neither conversation nor task', () => {
    for (const task of [undefined, ' ']) {
      expect(() => toolHandoff('b', { task, carryContext: false })).toThrow(
        'handoff.task: is required if carryContext is false',
      )
    }
  })
})

describe('isToolOutcome', () => {
  it('isToolOutcome recognizes outcomes, also of another copy of the package', async () => {
    const copy = (await import(`${import.meta.resolve('./tool-outcome.ts')}?copy`)) as typeof original
    expect(copy.toolOk).not.toBe(toolOk)
    for (const outcome of [toolOk('a'), toolError('b'), copy.toolOk('c')]) expect(isToolOutcome(outcome)).toBe(true)
  })

  it('isToolOutcome rejects a plain result with the shape of an outcome', () => {
    for (const value of [{ type: 'ok', content: [] }, { ...toolOk('a') }, 'ok', null, undefined, 1]) {
      expect(isToolOutcome(value)).toBe(false)
    }
  })

  it('the brand of an outcome does not appear in JSON', () => {
    expect(JSON.parse(JSON.stringify(toolOk('a')))).toEqual({ type: 'ok', content: text('a') })
  })
})

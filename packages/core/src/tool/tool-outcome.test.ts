import { describe, expect, it, vi } from 'vitest'
import { isToolOutcome, toolError, toolHandoff, toolOk } from './tool-outcome.ts'

const text = (value: string) => [{ type: 'text', text: value }]

describe('toolOk', () => {
  it('makes a text part of a string and keeps parts as they are', () => {
    expect(toolOk('done')).toEqual({ type: 'ok', content: text('done') })
    const parts = [{ type: 'file' as const, mediaType: 'image/png', source: { type: 'url' as const, url: 'a' } }]
    expect(toolOk(parts).content).toBe(parts)
  })

  it('keeps the data, null too, and has no such field without any', () => {
    expect(toolOk('done', null)).toEqual({ type: 'ok', content: text('done'), structured: null })
    expect('structured' in toolOk('done')).toBe(false)
  })
})

describe('toolError', () => {
  it('is not retryable unless said', () => {
    expect(toolError('no')).toEqual({ type: 'error', content: text('no'), retryable: false })
  })

  it('keeps error and metadata', () => {
    const error = { code: 'tool-timeout', tool: 't', ms: 1 } as const
    const outcome = toolError('no', { error, retryable: true, metadata: { at: 1 } })
    expect(outcome).toEqual({ type: 'error', content: text('no'), error, retryable: true, metadata: { at: 1 } })
  })
})

describe('toolHandoff', () => {
  it('names its target, and takes the conversation along unless told otherwise', () => {
    expect(toolHandoff('b')).toEqual({ type: 'handoff', target: 'b', task: undefined, carryContext: true })
    const alone = toolHandoff({ name: 'b' }, { task: 't', carryContext: false })
    expect(alone).toEqual({ type: 'handoff', target: 'b', task: 't', carryContext: false })
    expect(isToolOutcome(alone)).toBe(true)
  })

  it('refuses to leave the target with nothing to read', () => {
    for (const task of [undefined, ' ']) {
      expect(() => toolHandoff('b', { task, carryContext: false })).toThrow(
        'handoff.task: is needed without the context',
      )
    }
  })
})

describe('isToolOutcome', () => {
  it('knows outcomes, those of another copy of the package too', async () => {
    vi.resetModules()
    const copy = await import('./tool-outcome.ts')
    expect(copy.toolOk).not.toBe(toolOk)
    for (const outcome of [toolOk('a'), toolError('b'), copy.toolOk('c')]) expect(isToolOutcome(outcome)).toBe(true)
  })

  it('does not take a result that looks like an outcome for one', () => {
    for (const value of [{ type: 'ok', content: [] }, { ...toolOk('a') }, 'ok', null, undefined, 1]) {
      expect(isToolOutcome(value)).toBe(false)
    }
  })

  it('leaves no trace of the mark in JSON', () => {
    expect(JSON.parse(JSON.stringify(toolOk('a')))).toEqual({ type: 'ok', content: text('a') })
  })
})

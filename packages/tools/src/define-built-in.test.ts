import { ParleyError } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { callTool } from './__fixtures__/call-tool.ts'
import { defineReadTool } from './define-built-in.ts'

const input = { type: 'object', properties: {} } as const

describe('defineReadTool', () => {
  it('defineReadTool gives the tool the effect read', () => {
    expect(defineReadTool({ name: 'a', description: 'A.', input, execute: () => never() }).effect).toBe('read')
  })

  it('a tool turns a thrown ParleyError into a failure that the model reads, and rethrows any other error', async () => {
    const info = { code: 'tool-failed', tool: 'a', detail: 'no luck' } as const
    const failing = defineReadTool({ name: 'a', description: 'A.', input, execute: () => fail(new ParleyError(info)) })
    const result = await callTool([failing], 'a', {})
    expect(result.outcome).toMatchObject({ type: 'error', error: info })
    expect(result.text).toBe("'a' failed: no luck")
    const broken = defineReadTool({ name: 'a', description: 'A.', input, execute: () => fail(new TypeError('bug')) })
    await expect(callTool([broken], 'a', {})).rejects.toThrow('bug')
  })

  it('a tool does not run its handler if the signal is already aborted', async () => {
    const tool = defineReadTool({ name: 'a', description: 'A.', input, execute: () => never() })
    await expect(callTool([tool], 'a', { signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop')
  })
})

function fail(error: Error): never {
  throw error
}

function never(): never {
  throw new Error('was run')
}

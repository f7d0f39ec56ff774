import { createMemoryArtifacts, defineTool, toolError, toolOk, type ToolOutcome } from '@parley/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { setup, toldIn } from '../__fixtures__/set-up-agent.ts'
import { createOffload, type OffloadOptions } from './index.ts'
import { preview } from './preview.ts'

const long = Array.from({ length: 1_000 }, (_, line) => `line ${line}`).join('\n')
const read = (input: object) => ({ toolCalls: [{ name: 'read_artifact', input }] })

function offloading(script: Parameters<typeof setup>[0], result: string | ToolOutcome, options: OffloadOptions = {}) {
  const { middleware, tool } = createOffload({ maxCharacters: 1_000, previewCharacters: 100, ...options })
  const dump = defineTool({
    name: 'dump',
    description: 'Returns a long text.',
    input: z.object({}),
    execute: () => result,
  })
  return setup(script, [middleware], { tools: [dump, tool] })
}

const dumpIt = { toolCalls: [{ name: 'dump' }] }

describe('offload', () => {
  it('offload shows the beginning and the end of a large result, and read_artifact returns the rest in pieces', async () => {
    const given = offloading(
      [dumpIt, read({ id: 'artifact_1', offset: 50, limit: 20 }), read({ id: 'artifact_1', search: 'line 777' }), 'x'],
      toolOk(long, { large: true }),
    )
    await given.run().result
    const [shown = '', piece = '', found = ''] = toldIn(given.model.requests[3])
    expect(shown.length).toBeLessThan(300)
    expect(shown.startsWith(long.slice(0, 50))).toBe(true)
    expect(shown.endsWith(long.slice(-50))).toBe(true)
    expect(shown).toContain(`${long.length - 100} of ${long.length} characters are left out`)
    expect(piece).toBe(`${long.slice(50, 70)}\n[characters 50 to 70 of ${long.length}. Continue with offset 70.]`)
    expect(found.startsWith('line 777\nline 778')).toBe(true)
    expect(found.length).toBeLessThan(1_100)
    expect(JSON.stringify(given.model.requests[3])).not.toContain('"large"')
  })

  it('offload does not change small results and results of ignored tools', async () => {
    for (const [result, options] of [
      ['small', {}],
      [long, { ignore: ['dump'] }],
    ] as const) {
      const given = offloading([dumpIt, 'x'], result, options)
      await given.run().result
      expect(toldIn(given.model.requests[1])).toEqual([result])
    }
  })

  it('offload keeps a large failure a failure', async () => {
    const given = offloading([dumpIt, 'x'], toolError(long, { retryable: true }))
    await given.run().result
    expect(given.model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', isError: true })
    expect(toldIn(given.model.requests[1])[0]).toContain('left out')
  })

  it('read_artifact returns an artifact only within its own session', async () => {
    const store = createMemoryArtifacts()
    const given = offloading([dumpIt, 'x'], long, { store })
    await given.run().result
    const thief = offloading([read({ id: 'artifact_1' }), 'x'], '', { store })
    await thief.run().result
    expect(toldIn(thief.model.requests[1])[0]).toContain("There is no artifact 'artifact_1'")
  })

  it.each([
    [{ id: 'artifact_1', offset: 1_000_000 }, `The text ends at character ${long.length}.`],
    [{ id: 'artifact_1', search: 'nowhere' }, "'nowhere' does not occur after character 0."],
    [{ id: 'artifact_1', offset: -1 }, 'do not fit its schema'],
  ])('read_artifact answers %j with what to do', async (input, message) => {
    const given = offloading([dumpIt, read(input), 'x'], long)
    await given.run().result
    expect(toldIn(given.model.requests[2])[1]).toContain(message)
  })
})

it('preview splits no character and keeps to its length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 200 }), fc.nat(150), (text, characters) => {
      const shown = preview(text, { id: 'a', characters, tool: 't' })
      expect(shown.isWellFormed()).toBe(text.isWellFormed())
      expect(shown.length).toBeLessThan(characters + 120)
    }),
  )
})

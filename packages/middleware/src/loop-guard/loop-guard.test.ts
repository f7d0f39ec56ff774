import { defineTool } from '@parley/core'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { callEcho, setup, toldIn } from '../__fixtures__/set-up-agent.ts'
import { loopGuard, type LoopGuardOptions } from './loop-guard.ts'

function looping(script: Parameters<typeof setup>[0], options: LoopGuardOptions = {}) {
  let polls = 0
  const poll = defineTool({
    name: 'poll',
    description: 'Says something new each time.',
    input: z.object({}),
    execute: () => ++polls,
  })
  const echo = defineTool({
    name: 'echo',
    description: 'Echoes.',
    input: z.object({ text: z.string() }),
    execute: ({ text }) => text,
  })
  return { ...setup(script, [loopGuard(options)], { tools: [poll, echo] }), polls: () => polls }
}

describe('loop guard', () => {
  it('the loop guard refuses a call that gave the same result three times and says what to do', async () => {
    const { run, model } = looping((_, index) => (index < 4 ? callEcho('a') : 'Fine.'))
    expect(await run().result).toMatchObject({ status: 'completed', text: 'Fine.' })
    const told = toldIn(model.requests[4])
    expect(told.slice(0, 3)).toEqual(['a', 'a', 'a'])
    expect(told[3]).toContain("'echo' was not run: it gave the same result 3 times")
  })

  it('the loop guard detects calls that alternate', async () => {
    const { run, model } = looping((_, index) => (index < 8 ? callEcho(index % 2 === 0 ? 'a' : 'b') : 'Fine.'))
    await run().result
    expect(toldIn(model.requests[8]).filter(text => text.includes('was not run'))).toHaveLength(2)
  })

  it('the loop guard allows a repeated call whose result changes, and tools to ignore', async () => {
    const polling = looping((_, index) => (index < 8 ? { toolCalls: [{ name: 'poll' }] } : 'Fine.'))
    expect(await polling.run().result).toMatchObject({ status: 'completed' })
    expect(polling.polls()).toBe(8)
    const ignored = looping((_, index) => (index < 8 ? callEcho('a') : 'Fine.'), { ignore: ['echo'] })
    expect(await ignored.run().result).toMatchObject({ status: 'completed' })
  })

  it('the loop guard ends the run after stopAfter refusals', async () => {
    const stops: boolean[] = []
    const { run, model } = looping(() => callEcho('a'), { stopAfter: 2, onRepeat: repeat => stops.push(repeat.stops) })
    expect(await run().result).toMatchObject({ status: 'cancelled', reason: { kind: 'guard' } })
    expect(model.requests).toHaveLength(5)
    expect(stops).toEqual([false, true])
  })

  it('the loop guard starts again in each run', async () => {
    const { run } = looping((request, index) => (index % 4 < 3 ? callEcho('a') : `${toldIn(request).length}`))
    expect([(await run().orThrow()).text, (await run().orThrow()).text]).toEqual(['3', '3'])
  })

  it('loopGuard rejects a window smaller than maxRepeats', () => {
    expect(() => loopGuard({ maxRepeats: 5, window: 4 })).toThrow('loopGuard.window: is 4')
  })
})

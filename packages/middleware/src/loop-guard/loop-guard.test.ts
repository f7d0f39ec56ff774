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
  it('refuses a call that gave the same three times, and says what to do', async () => {
    const { run, model } = looping((_, index) => (index < 4 ? callEcho('a') : 'Fine.'))
    expect(await run().result).toMatchObject({ status: 'completed', text: 'Fine.' })
    const told = toldIn(model.requests[4])
    expect(told.slice(0, 3)).toEqual(['a', 'a', 'a'])
    expect(told[3]).toContain("'echo' was not run: it gave the same result 3 times")
  })

  it('sees calls that take turns, whatever the order of their keys', async () => {
    const { run, model } = looping((_, index) => (index < 8 ? callEcho(index % 2 === 0 ? 'a' : 'b') : 'Fine.'))
    await run().result
    expect(toldIn(model.requests[8]).filter(text => text.includes('was not run'))).toHaveLength(2)
  })

  it('lets a call go on whose result changes, and tools it is told to ignore', async () => {
    const polling = looping((_, index) => (index < 8 ? { toolCalls: [{ name: 'poll' }] } : 'Fine.'))
    expect(await polling.run().result).toMatchObject({ status: 'completed' })
    expect(polling.polls()).toBe(8)
    const ignored = looping((_, index) => (index < 8 ? callEcho('a') : 'Fine.'), { ignore: ['echo'] })
    expect(await ignored.run().result).toMatchObject({ status: 'completed' })
  })

  it('ends the run of a model that goes on all the same', async () => {
    const stops: boolean[] = []
    const { run, model } = looping(() => callEcho('a'), { stopAfter: 2, onRepeat: repeat => stops.push(repeat.stops) })
    expect(await run().result).toMatchObject({ status: 'cancelled', reason: { kind: 'guard' } })
    expect(model.requests).toHaveLength(5)
    expect(stops).toEqual([false, true])
  })

  it('begins anew in each run', async () => {
    const { run } = looping((request, index) => (index % 4 < 3 ? callEcho('a') : `${toldIn(request).length}`))
    expect([(await run().result).text, (await run().result).text]).toEqual(['3', '3'])
  })

  it('refuses a window in which nothing could be seen', () => {
    expect(() => loopGuard({ maxRepeats: 5, window: 4 })).toThrow('loopGuard.window: is 4')
  })
})

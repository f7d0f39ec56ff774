import { defineTool, type Clock } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../index.ts'

const HOUR = 3_600_000

/** A machine whose time is set while a process runs. */
function jumpingClock() {
  const base = fakeClock()
  let offset = 0
  const clock: Clock = { now: () => base.now() + offset, monotonic: () => base.now(), after: base.after }
  const jump = (ms: number): void => {
    offset += ms
  }
  return { base, clock, jump }
}

function toolOf(name: string, execute: (context: { delegate?: unknown }) => unknown) {
  return defineTool({
    name,
    description: 'Works.',
    input: { type: 'object' },
    execute: (_, context) => execute(context),
  })
}

describe.each([
  ['forward', HOUR],
  ['back', -HOUR],
])('a machine whose time jumps %s by an hour', (_, ms) => {
  it('a run with a limit of ten minutes and its child runs complete, with durations that did not jump', async () => {
    const { clock, jump } = jumpingClock()
    const store = createMemoryStore()
    const work = toolOf('work', () => {
      jump(ms)
      return 'ok'
    })
    const script = (name: string) => scriptedModel([{ toolCalls: [{ name }] }, { toolCalls: [{ name }] }, 'Done.'])
    const child = defineAgent({ name: 'child', model: script('work'), tools: [work] })
    const delegate = defineTool({
      name: 'delegate',
      description: 'Delegates.',
      input: { type: 'object' },
      execute: async (_input, context) => {
        jump(ms)
        const result = await context.delegate?.({ agent: child, input: 'go' })
        jump(ms)
        return result?.status ?? 'none'
      },
    })
    const parent = scriptedModel([{ toolCalls: [{ name: 'work' }] }, { toolCalls: [{ name: 'delegate' }] }, 'Done.'])
    const agent = defineAgent({ name: 'a', model: parent, tools: [work, delegate] })
    const result = await createRuntime({ clock, store, agents: [agent] }).invoke('a', 'go')
    expect(result.status).toBe('completed')
    const runs = await store.runs({ scope: 'default' })
    expect(runs.map(({ status }) => status)).toEqual(['completed', 'completed'])
    for (const { runId } of runs) {
      const entries = await store.read(runId)
      const durations = entries.flatMap(entry => ('durationMs' in entry ? entry.durationMs : []))
      expect(Math.max(...durations.map(Math.abs))).toBeLessThan(1_000)
      expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted((a, b) => a - b))
    }
  })

  it('a worker keeps its claims alive', async () => {
    const { base, clock, jump } = jumpingClock()
    const store = createMemoryStore()
    let beats = 0
    const counting = {
      ...store,
      heartbeat: (beat: Parameters<typeof store.heartbeat>[0]) => (beats++, store.heartbeat(beat)),
    }
    const hang = toolOf('hang', () => new Promise(() => {}))
    const model = scriptedModel([{ toolCalls: [{ name: 'hang' }] }])
    const agents = [defineAgent({ name: 'a', model, tools: [hang], limits: { maxDurationMs: HOUR } })]
    const runtime = createRuntime({ clock, store: counting, agents, leaseMs: 9_000, worker: 'w' })
    const { runId } = runtime.run('a', 'go')
    await base.advance(1)
    jump(ms)
    await base.advance(9_000)
    expect(beats).toBeGreaterThan(3)
    expect(await store.claim({ runId, worker: 'other', at: clock.now() })).toMatchObject({
      granted: false,
      worker: 'w',
    })
  })

  it('a run that another process continues counts only the time in which it was driven', async () => {
    const { base, clock, jump } = jumpingClock()
    const store = createMemoryStore()
    const hang = toolOf('hang', () => new Promise(() => {}))
    const model = scriptedModel([{ toolCalls: [{ name: 'hang' }] }])
    const died = createRuntime({ clock, store, agents: [defineAgent({ name: 'a', model, tools: [hang] })] })
    const { runId } = died.run('a', 'go')
    await base.advance(60_000)
    jump(ms)
    const agents = [defineAgent({ name: 'a', model: scriptedModel(['Done.']), tools: [hang] })]
    const run = await createRuntime({ clock, store, agents }).resume(runId, { force: true })
    expect((await run.result).status).toBe('completed')
  })
})

import {
  defineMiddleware,
  defineTool,
  messageText,
  type Entry,
  type Middleware,
  type MiddlewareStages,
} from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import type { DurableHost } from '../../host.ts'
import { createRuntime, defineAgent, type Agent, type Run } from '../../index.ts'
import { loadRun } from '../../journal.ts'
import { plainHost, recordingHost } from '../../loop/__fixtures__/hosts.ts'

type Steer = NonNullable<MiddlewareStages['steer']>

interface Scene {
  readonly steer: Steer
  readonly fields?: Partial<Agent>
  readonly host?: DurableHost | undefined
}

/** Runs an agent whose first answer has three calls, one after another. `ran` has the numbers of the calls that ran. */
function setUp({ steer, fields, host }: Scene) {
  const ran: number[] = []
  const work = defineTool({
    name: 'work',
    description: 'Works.',
    input: { type: 'object' },
    execute: input => (ran.push((input as { number: number }).number), 'worked'),
  })
  const toolCalls = [1, 2, 3].map(number => ({ name: 'work', input: { number } }))
  const model = scriptedModel((_, index) => (index === 0 ? { toolCalls } : 'Done.'))
  const pulling: Middleware = defineMiddleware('pulling', () => ({ steer }))
  const agent = {
    name: 'a',
    model,
    tools: [work],
    toolExecution: 'sequential' as const,
    middleware: [pulling],
    ...fields,
  }
  const store = createMemoryStore()
  const start = (): Run => createRuntime({ agents: [defineAgent(agent)], store }).run('a', 'go', { host })
  return { ran, model, store, start }
}

/** Returns the messages once `ran` has this many calls. */
const after =
  (count: number, ran: () => readonly number[], messages: string[]): Steer =>
  () =>
    ran().length >= count ? messages.splice(0) : []

const HOSTS: readonly [string, () => DurableHost | undefined][] = [
  ['this process', () => undefined],
  ['a host that takes whole steps', () => plainHost],
  ['a host that runs each call', () => recordingHost(new Map())],
]

describe('steering between tools by pull', () => {
  it.each(HOSTS)(
    'a message that is pulled between two tool calls skips the calls that have not begun, in %s',
    async (_, host) => {
      const scene = setUp({ host: host(), steer: after(1, () => scene.ran, ['stop that']) })
      expect(await scene.start().result).toMatchObject({ status: 'completed', turns: 2 })
      expect(scene.ran).toEqual([1])
      expect(scene.model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user', content: [{ text: 'stop that' }] })
    },
  )

  it('a pulled message is durable before it skips a call', async () => {
    let kept: readonly Entry[] = []
    const scene = setUp({ steer: after(1, () => scene.ran, ['stop that']) })
    const run = scene.start()
    for await (const event of run) {
      if (event.type === 'tool.ended' && event.error?.code === 'tool-skipped') kept = await scene.store.read(run.runId)
      if (kept.length > 0) break
    }
    await run.result
    const types = kept.map(entry => (entry.type === 'tool.ended' ? (entry.error?.code ?? 'done') : entry.type))
    expect(types.indexOf('input.queued')).toBeGreaterThan(types.indexOf('done'))
    expect(types.indexOf('input.queued')).toBeLessThan(types.indexOf('tool-skipped'))
    expect(kept.find(entry => entry.type === 'input.queued')).toMatchObject({ kind: 'steering' })
  })

  it('a crash after the pulled message was queued does not lose it', async () => {
    let appends = 0
    const scene = setUp({ steer: after(1, () => scene.ran, ['stop that']) })
    const { append } = scene.store
    scene.store.append = async given => {
      appends += given.entries.some(({ type }) => type === 'input.queued') ? 1 : 0
      await append(given)
      if (appends === 1) throw new Error('the process is gone')
    }
    const run = scene.start()
    expect(await run.result).toMatchObject({ status: 'interrupted' })
    scene.store.append = append
    expect((await loadRun(scene.store, run.runId)).queue).toMatchObject([{ kind: 'steering' }])
  })

  it('the source is asked after a turn without tool calls too, so that the run continues', async () => {
    const waiting = ['And in Rome?']
    const scene = setUp({ steer: () => waiting.splice(0), fields: { model: scriptedModel(['Sunny.', 'Rainy.']) } })
    expect(await scene.start().result).toMatchObject({ text: 'Rainy.', turns: 2 })
  })

  it('calls that run at the same time are not skipped, and the message joins before the next model call', async () => {
    const waiting = ['faster']
    const scene = setUp({ steer: () => waiting.splice(0), fields: { toolExecution: 'parallel' } })
    await scene.start().result
    expect(scene.ran).toEqual([1, 2, 3])
    expect(scene.model.requests[1]?.messages.map(messageText).at(-1)).toBe('faster')
  })

  it('a pulled message passes the input filters', async () => {
    const filter = { name: 'polite', check: () => ({ type: 'reject' as const, reason: 'rude' }) }
    const waiting = ['stop!']
    const filters = {
      ...filter,
      check: (message: Parameters<typeof messageText>[0]) => (messageText(message) === 'go' ? 'pass' : filter.check()),
    }
    const scene = setUp({ steer: () => waiting.splice(0), fields: { inputFilters: [filters as never] } })
    expect(await scene.start().result).toMatchObject({ status: 'completed' })
    expect(scene.ran).toEqual([1, 2, 3])
  })

  it('a message beyond the capacity of the queue is recorded as dropped', async () => {
    const scene = setUp({ steer: after(1, () => scene.ran, ['one', 'two']), fields: { queue: { capacity: 1 } } })
    const run = scene.start()
    await run.result
    const types = (await scene.store.read(run.runId)).map(({ type }) => type)
    expect(types.filter(type => type === 'input.dropped')).toHaveLength(1)
  })

  it('a source that throws fails the run, and no further call runs', async () => {
    const scene = setUp({
      steer: () => {
        if (scene.ran.length > 0) throw new Error('broken')
        return []
      },
    })
    const run = scene.start()
    expect(await run.result).toMatchObject({ status: 'failed', error: { code: 'internal', detail: 'broken' } })
    expect(scene.ran).toEqual([1])
    const journal = await scene.store.read(run.runId)
    expect(journal.find(({ type }) => type === 'run.failed')).toMatchObject({ phase: 'hook' })
  })

  it('a cancel does not wait for a source that hangs', async () => {
    const scene = setUp({
      steer: () => {
        void run.cancel()
        return new Promise(() => {})
      },
    })
    const run = scene.start()
    expect(await run.result).toMatchObject({ status: 'cancelled' })
  })
})

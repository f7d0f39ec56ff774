import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineTool, type Json, type JournalAppend, type Store } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { fakeClock, scriptedModel } from '@parley/testing'
import { defineWorkflow, type Step, type Workflow } from '@parley/workflow'
import { describe, expect, it } from 'vitest'

/** A workflow whose tools record their inputs. The tool `hang` runs until its signal is aborted. */
function workflow(steps: readonly Step[], fields: Partial<Workflow> = {}) {
  const done: Json[] = []
  const stopped: Json[] = []
  const value = (input: unknown): Json => (input as { readonly value?: Json }).value ?? null
  const tool = (name: string, execute: (given: Json, signal: AbortSignal) => unknown) =>
    defineTool({
      name,
      description: 'd',
      input: { type: 'object' },
      effect: 'read',
      execute: (input, { signal }) => execute(value(input), signal),
    })
  const tools = [
    tool('echo', async given => {
      await new Promise(resolve => setImmediate(resolve))
      done.push(given)
      return given
    }),
    tool('fail', () => {
      throw new Error('broken')
    }),
    tool(
      'hang',
      (given, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            stopped.push(given)
            reject(new Error('stopped'))
          })
        }),
    ),
  ]
  const agents = [defineAgent({ name: 'writer', model: scriptedModel(() => 'Written.') })]
  return { done, stopped, agent: defineWorkflow({ name: 'w', steps, ...fields }, { tools, agents }) }
}

const call = (tool: string, given: Json): Step => ({ type: 'tool', tool, input: { value: given } })
const echo = (given: Json): Step => call('echo', given)
const approval: Step = { type: 'approval', name: 'ok', prompt: 'Go on?', roles: ['boss'], timeoutMs: 60_000 }

describe('22: a workflow', () => {
  it('22a: a workflow passes each step the output of the step before it and all results in order', async () => {
    const { agent } = workflow([echo(1), echo('{{result}}2'), echo('{{result}}3'), echo(['{{result}}', '{{results}}'])])
    const { output } = await createRuntime({ agents: [agent] }).invoke('w', 'go')
    expect(output).toEqual({ status: 'success', result: ['123', [1, '12', '123']], failures: [] })
  })

  it('22b: a workflow prefers the variables of a run to its defaults and inserts them literally', async () => {
    const inputs = { a: { default: 'default' }, b: { default: 'B' } }
    const { agent, done } = workflow([echo('{{a}}'), echo('{{a}} {{b}}'), echo('{{result}}')], { inputs })
    const a = String.raw`{{b}} \1 \\n $&`
    await createRuntime({ agents: [agent] }).run('w', 'go', { variables: { a } }).result
    expect(done).toEqual([a, `${a} B`, `${a} B`])
  })
})

describe('23: an approval', () => {
  it('23a: an approval times out although no process polls the run', async () => {
    const clock = fakeClock()
    const { agent, done } = workflow([{ ...approval, onTimeout: [echo('late')] }])
    const store = createMemoryStore()
    const { runId } = await createRuntime({ agents: [agent], store, clock }).run('w', 'go').result
    await clock.advance(60_001)
    expect([(await store.run(runId))?.status, done]).toEqual(['completed', ['late']])
  })

  it('23b: an approval fails the run if there is no store, and is never granted by default', async () => {
    const { agent, done } = workflow([approval, echo('paid')])
    const result = await createRuntime({ agents: [agent] }).run('w', 'go').result
    expect(result).toMatchObject({ status: 'failed', error: { code: 'step-failed', step: 'ok', cause: 'tool-denied' } })
    expect(done).toEqual([])
  })

  it('23c: an approval accepts decisions only from a user with the role, and runs its own steps after a rejection', async () => {
    const { agent, done } = workflow([{ ...approval, onRejected: [echo('{{reason}}')] }, echo('after {{result}}')])
    const runtime = createRuntime({ agents: [agent], store: createMemoryStore() })
    const { runId, ...result } = await runtime.run('w', 'go').result
    const approvalId = result.status === 'suspended' ? (result.approvals[0]?.approvalId ?? '') : ''
    const decision = { type: 'rejected', reason: 'no.' } as const
    await expect(runtime.decide(runId, approvalId, { decision })).rejects.toThrow('requires one of these roles: boss')
    const run = await runtime.decide(runId, approvalId, { decision, by: { id: 'b', roles: ['boss'] } })
    expect([(await run.result).status, done]).toEqual(['completed', ['no.', 'after no.']])
  })
})

describe('24: a workflow that is killed in the middle', () => {
  const branch: Step = {
    type: 'sequence',
    steps: [echo('a'), { type: 'agent', agent: 'writer', prompt: 'p' }, echo('{{result}}')],
  }
  it.each<[string, Step]>([
    [
      '24a: a workflow killed in a parallel step',
      { type: 'parallel', steps: [branch, echo('b'), { type: 'sequence', steps: [echo('c'), echo('d')] }] },
    ],
    [
      '24b: a workflow killed in a map',
      { type: 'map', over: 'results.0', as: 'each', steps: [echo('{{each}}1'), echo('{{result}}2')] },
    ],
  ])('%s resumes without repeating finished calls and has the same output', async (_, step) => {
    const steps = [echo(['x', 'y', 'z']), step, echo('{{result}}')]
    const { store, log } = recording()
    const whole = await createRuntime({ agents: [workflow(steps).agent], store }).invoke('w', 'go')
    expect(whole.status).toBe('completed')
    for (let length = 1; length < log.length; length++) {
      const { done, agent } = workflow(steps)
      const rest = createMemoryStore()
      for (const append of log.slice(0, length)) await rest.append({ ...append, worker: 'gone', fence: 1 })
      const before = ended(log.slice(0, length))
      const runtime = createRuntime({ agents: [agent], store: rest, isWorkerGone: () => true })
      expect((await (await runtime.resume(whole.runId)).orThrow()).output).toEqual(whole.output)
      expect(done).toHaveLength(ended(log) - before)
    }
  })

  it('24c: a workflow resumes after SIGKILL in a parallel step and in a map, with each effect once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-'))
    const effects = join(folder, 'effects')
    const work = (dieIn: string) =>
      spawnSync(
        process.execPath,
        [
          '--conditions=@parley/source',
          join(import.meta.dirname, '__fixtures__/killed-worker.ts'),
          join(folder, 'runs.db'),
          effects,
          dieIn,
        ],
        { encoding: 'utf8' },
      )
    expect([work('d').signal, work('d2').signal]).toEqual(['SIGKILL', 'SIGKILL'])
    expect(JSON.parse(work('').stdout)).toEqual({
      status: 'success',
      result: [
        [
          ['a', 'b'],
          ['c', 'd', 'e'],
        ],
        [
          ['c1', 'c2'],
          ['d1', 'd2'],
          ['e1', 'e2'],
        ],
      ],
      failures: [],
    })
    const done = (await readFile(effects, 'utf8')).trim().split('\n')
    expect(done.toSorted()).toEqual(['a', 'b', 'c', 'c1', 'c2', 'd', 'd1', 'd2', 'e', 'e1', 'e2'])
    await rm(folder, { recursive: true })
  })

  function recording(): { readonly store: Store; readonly log: JournalAppend[] } {
    const memory = createMemoryStore()
    const log: JournalAppend[] = []
    return { log, store: { ...memory, append: append => memory.append(append).then(() => void log.push(append)) } }
  }

  function ended(log: readonly JournalAppend[]): number {
    return log.flatMap(({ entries }) => entries).filter(entry => entry.type === 'tool.ended' && entry.name === 'echo')
      .length
  }
})

describe('25: a step at work', () => {
  const inBranch: Step = { type: 'parallel', steps: [{ type: 'sequence', steps: [echo(1), call('hang', 'x')] }] }

  it('25a: the tool of a running step is aborted when the workflow is cancelled', async () => {
    const { agent, stopped } = workflow([inBranch])
    const run = createRuntime({ agents: [agent] }).run('w', 'go')
    for await (const event of run) if (event.type === 'tool.started' && event.name === 'hang') break
    const cancelled = run.cancel()
    expect(stopped).toEqual(['x'])
    await cancelled
    expect((await run.result).status).toBe('cancelled')
  })

  it('25b: the tool of a running step is aborted when the workflow reaches its time limit', async () => {
    const clock = fakeClock()
    const { agent, stopped } = workflow([inBranch], { limits: { maxDurationMs: 5_000 } })
    const run = createRuntime({ agents: [agent], clock }).run('w', 'go')
    for await (const event of run) if (event.type === 'tool.started' && event.name === 'hang') break
    await clock.advance(5_000)
    expect(stopped).toEqual(['x'])
    expect(await run.result).toMatchObject({ status: 'limit', hit: { limit: 'duration' } })
  })

  it('25c: the tool of a running step is aborted when a parallel step fails, and failures keep their index', async () => {
    const { agent, stopped } = workflow([{ type: 'parallel', steps: [call('hang', 'x'), call('fail', 'y')] }])
    const failing = await createRuntime({ agents: [agent] }).run('w', 'go').result
    expect([failing, stopped]).toMatchObject([{ status: 'failed', error: { step: '0.1' } }, ['x']])
    const tolerant = workflow([{ type: 'parallel', steps: [echo('a'), call('fail', 'y'), echo('c')] }], {
      onFailure: 'continue',
    })
    const { output } = await createRuntime({ agents: [tolerant.agent] }).invoke('w', 'go')
    expect(output).toMatchObject({ status: 'partial', result: ['a', null, 'c'], failures: [{ step: '0.1' }] })
  })
})

import { defineMiddleware, defineTool, type JournalAppend, type Store } from '@parley/core'
import fc from 'fast-check'
import { createRuntime, type Run, type RunResult } from '@parley/engine'
import { isValidTranscript, loadRun } from '@parley/engine/journal'
import { createMemoryStore } from '@parley/memory-store'
import { describe, expect, it } from 'vitest'
import { defineWorkflow, type Step, type Workflow, type WorkflowOptions, type WorkflowResult } from './index.ts'
import { stepParts } from './__fixtures__/set-up-workflow.ts'
import { expectedResult } from './__fixtures__/expected-result.ts'
import { stepTree } from './__fixtures__/step-tree.ts'

/** Durable appends in order. A crash happens between two of them. */
type Log = readonly JournalAppend[]

function compile(steps: readonly Step[], fields: Partial<Workflow> = {}, options: WorkflowOptions = {}) {
  const parts = stepParts()
  return {
    ...parts,
    workflow: defineWorkflow(
      { name: 'w', steps, onFailure: 'continue', parallelLimit: 2, ...fields },
      { ...parts.registry, ...options },
    ),
  }
}

/** Gives each request new message objects, so that the workflow's model reads and walks from the first step in each turn. */
const forgetful = defineMiddleware('forgetful', () => ({
  model: (call, next) =>
    next({ ...call, request: { ...call.request, messages: call.request.messages.map(message => ({ ...message })) } }),
}))

type Compiled = ReturnType<typeof compile>

/** Decides all approvals until the run ends, each one in another process. */
async function toItsEnd(run: Run, { workflow }: Compiled, store: Store): Promise<RunResult> {
  let result = await run.result
  while (result.status === 'suspended') {
    const [request] = result.approvals
    const decision =
      request?.prompt === 'no?' ? { type: 'rejected' as const, reason: 'no.' } : { type: 'approved' as const }
    const runtime = createRuntime({ agents: [workflow], store, isWorkerGone: () => true })
    result = await (await runtime.decide(result.runId, request?.approvalId ?? '', { decision })).result
  }
  return result
}

async function play(steps: readonly Step[], fields?: Partial<Workflow>, options?: WorkflowOptions) {
  const compiled = compile(steps, fields, options)
  const memory = createMemoryStore()
  const log: JournalAppend[] = []
  const store: Store = {
    ...memory,
    async append(append) {
      await memory.append(append)
      log.push(append)
    },
  }
  const runtime = createRuntime({ agents: [compiled.workflow], store })
  const result = await toItsEnd(runtime.run('w', 'go'), compiled, store)
  return { ...compiled, store, log, result }
}

/** Resumes in a new process from the appends that were durable at the crash. */
async function resumeFrom(
  steps: readonly Step[],
  cut: Log,
  { runId, fields }: { runId: string; fields?: Partial<Workflow> },
) {
  const compiled = compile(steps, fields)
  const store = createMemoryStore()
  for (const append of cut) await store.append({ ...append, worker: 'gone', fence: 1 })
  const { status } = (await store.run(runId)) ?? {}
  if (status !== 'running' && status !== 'suspended') return undefined
  const runtime = createRuntime({ agents: [compiled.workflow], store, isWorkerGone: () => true })
  const result = await toItsEnd(await runtime.resume(runId), compiled, store)
  return { ...compiled, store, result }
}

function outputOf(result: RunResult): unknown {
  return result.status === 'completed' ? result.output : undefined
}

function endedCalls(log: Log): string[] {
  return log.flatMap(({ runId, entries }) =>
    entries.flatMap(entry => (entry.type === 'tool.ended' ? `${runId} ${entry.callId}` : [])),
  )
}

async function startedCalls(store: Store, cut: Log): Promise<string[]> {
  const known = new Map<string, number>()
  for (const { runId, entries } of cut) known.set(runId, entries.at(-1)?.seq ?? 0)
  const runs = await store.runs({ scope: 'default', limit: 1_000 })
  const all = await Promise.all(
    runs.map(async ({ runId }) => {
      const entries = await store.read(runId, { afterSeq: known.get(runId) ?? 0 })
      return entries.flatMap(entry => (entry.type === 'tool.started' ? `${runId} ${entry.callId}` : []))
    }),
  )
  return all.flat()
}

describe('every tree of steps', () => {
  it('a tree of steps returns the expected result and the expected number of failures', async () => {
    await fc.assert(
      fc.asyncProperty(stepTree, async steps => {
        const { result, load } = await play(steps)
        const expected = expectedResult(steps)
        expect(load.most).toBeLessThanOrEqual(2)
        expect(result.status).toBe(expected === 'failed' ? 'failed' : 'completed')
        if (expected === 'failed') return
        const { result: value, failures } = expected
        const output = outputOf(result) as WorkflowResult
        expect([output.result, output.failures.length]).toEqual([value, failures])
        expect(output.status).toBe(failures === 0 ? 'success' : 'partial')
      }),
      { numRuns: 300 },
    )
  })

  it('a run resumed from any point has the same result and repeats no finished call', async () => {
    await fc.assert(
      fc.asyncProperty(stepTree, fc.nat(), async (steps, at) => {
        const first = await play(steps)
        const { runId } = first.result
        const cut = first.log.slice(0, 1 + (at % first.log.length))
        const again = await resumeFrom(steps, cut, { runId })
        if (again === undefined) return
        expect(again.result.status).toBe(first.result.status)
        expect(outputOf(again.result)).toEqual(outputOf(first.result))
        const ended = new Set(endedCalls(cut))
        expect((await startedCalls(again.store, cut)).filter(call => ended.has(call))).toEqual([])
      }),
      { numRuns: 400 },
    )
  })

  it('a run whose model starts over in each turn makes the same calls and has the same result', async () => {
    await fc.assert(
      fc.asyncProperty(stepTree, fc.constantFrom('continue' as const, 'fail' as const), async (steps, onFailure) => {
        const kept = await play(steps, { onFailure })
        const fresh = await play(steps, { onFailure }, { middleware: [forgetful] })
        expect(outputOf(kept.result)).toEqual(outputOf(fresh.result))
        expect(kept.result.status).toBe(fresh.result.status)
        if (onFailure === 'continue') expect(kept.calls.length).toBe(fresh.calls.length)
      }),
      { numRuns: 200 },
    )
  })

  it('a run with onFailure fail ends the same way from any point, and all its runs have ended and are valid', async () => {
    const fields = { onFailure: 'fail' as const }
    await fc.assert(
      fc.asyncProperty(stepTree, fc.nat(), async (steps, at) => {
        const first = await play(steps, fields)
        const { runId } = first.result
        const cut = first.log.slice(0, 1 + (at % first.log.length))
        const again = await resumeFrom(steps, cut, { runId, fields })
        for (const played of again === undefined ? [first] : [first, again]) {
          expect(played.result.status).toBe(first.result.status)
          for (const record of await played.store.runs({ scope: 'default', limit: 1_000 })) {
            expect(record.status).toMatch(/completed|failed|cancelled/)
            expect(isValidTranscript((await loadRun(played.store, record.runId)).transcript.toArray())).toBe(true)
          }
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('a map over more items than one answer calls', () => {
  const odd = defineTool({
    name: 'odd',
    description: 'Returns an odd number.',
    input: { type: 'object' },
    effect: 'read',
    execute: ({ value }) => {
      if (value % 2 === 0) throw new Error(`${value} is even`)
      return value
    },
  })
  const tools = [...stepParts().tools, odd]

  /** Plays the map twice: with a model that keeps its place, and with one that starts over in each turn. */
  async function playTwice(items: readonly number[]) {
    const steps: Step[] = [
      { type: 'tool', tool: 'echo', input: { value: [...items] } },
      {
        type: 'map',
        over: 'result',
        onFailure: 'continue',
        steps: [{ type: 'tool', tool: 'odd', input: { value: '{{item}}' } }],
      },
    ]
    const kept = outputOf((await play(steps, {}, { tools })).result) as WorkflowResult
    const fresh = outputOf((await play(steps, {}, { tools, middleware: [forgetful] })).result)
    return { kept, fresh }
  }

  it('a map whose model starts over in each turn has the same result and failures', async () => {
    const items = Array.from({ length: 600 }, (_, index) => index)
    const { kept, fresh } = await playTwice(items)
    expect(kept).toEqual(fresh)
    expect(kept.result).toEqual(items.map(item => (item % 2 === 0 ? null : item)))
    expect(kept.failures).toHaveLength(300)
  })

  it('a map whose items all fail in several turns fails', async () => {
    const { kept, fresh } = await playTwice(Array.from({ length: 300 }, (_, index) => index * 2))
    expect(kept).toEqual(fresh)
    expect(kept.failures.at(-1)?.detail).toContain('all 300 branches failed')
  })
})

it('a run can be resumed from every point of its journals', async () => {
  const leaf = (value: string): Step => ({ type: 'tool', tool: 'work', input: { value } })
  const steps: Step[] = [
    { type: 'tool', tool: 'echo', input: { value: ['a', 'b', 'c'] } },
    {
      type: 'map',
      over: 'result',
      reduce: 'collect',
      steps: [leaf('{{item}}'), { type: 'approval', prompt: '{{item}}?' }, leaf('{{item}}!')],
    },
    {
      type: 'parallel',
      steps: [
        leaf('x'),
        { type: 'sequence', steps: [leaf('y'), { type: 'agent', agent: 'shouter', prompt: '{{result}}' }] },
      ],
    },
  ]
  const fields = { output: '{{results}}' }
  const first = await play(steps, fields)
  expect(outputOf(first.result)).toMatchObject({
    result: [
      ['a', 'b', 'c'],
      ['a!', 'b!', 'c!'],
      ['x', 'Y'],
    ],
  })
  for (let length = 1; length < first.log.length; length++) {
    const cut = first.log.slice(0, length)
    const again = await resumeFrom(steps, cut, { runId: first.result.runId, fields })
    expect(again && outputOf(again.result)).toEqual(outputOf(first.result))
  }
  expect(first.log.length).toBeGreaterThan(60)
})

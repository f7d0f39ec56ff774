import { defineTool, systemClock, type Store, type ToolContext } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { isValidTranscript, loadRun } from '@parley/engine/journal'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel, type Script } from '@parley/testing'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { RunOperations } from './run-operations.ts'
import type { RunOrder, StepReport } from './run-order.ts'
import type { Worker } from './worker.ts'

const ORDER: RunOrder = { runId: 'r', sessionId: 's', scope: 'default', agent: 'a', input: 'go' }
const ON = { cancel: undefined, decided: undefined }
const CALLS = [{ name: 'pay' }, { name: 'look' }, { name: 'pay' }]

/** A process with one worker. Its memory is lost when the test starts another process. */
function startProcess(store: Store, script: Script, execute: (context: ToolContext) => unknown = () => 'done'): Worker {
  const tool = (name: string, effect: 'once' | 'read') =>
    defineTool({
      name,
      description: 'Works.',
      input: { type: 'object' },
      effect,
      execute: (_, context) => execute(context),
    })
  const tools = [tool('pay', 'once'), tool('look', 'read')]
  const agents = [defineAgent({ name: 'a', model: scriptedModel(script), tools })]
  const runtime = createRuntime({ store, agents })
  return { runtime, store, clock: systemClock, live: undefined, maxStepMs: 60_000, held: new Map(), closing: false }
}

const script: Script = ({ messages }) => {
  const turn = messages.filter(({ role }) => role === 'assistant').length
  return turn < 3 ? { toolCalls: CALLS } : 'All done.'
}

/** Takes one step and runs the calls that it names. */
async function advance(run: RunOperations): Promise<StepReport> {
  const report = await run.step(ON)
  if (report.type !== 'calls') return report
  for (const batch of report.batches) {
    await Promise.all(batch.map(({ callId }) => run.call({ callId, cancel: undefined, news: {} })))
  }
  return report
}

async function untilSuspendedOrEnded(run: RunOperations): Promise<StepReport> {
  for (;;) {
    const report = await advance(run)
    if (report.type !== 'continue' && report.type !== 'calls') return report
  }
}

describe('RunOperations', () => {
  it('a run comes to the same end for any sequence of attempts and processes', async () => {
    const undisturbed = createMemoryStore()
    await untilSuspendedOrEnded(new RunOperations(startProcess(undisturbed, script), ORDER))
    const expected = (await loadRun(undisturbed, 'r')).transcript.toArray().map(({ role }) => role)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(3), fc.boolean()), { maxLength: 8 }), async attempts => {
        const store = createMemoryStore()
        const executions = new Map<string, number>()
        const count = ({ idempotencyKey: key }: ToolContext): string => {
          executions.set(key, (executions.get(key) ?? 0) + 1)
          return 'done'
        }
        let process = startProcess(store, script, count)
        for (const [steps, dies] of attempts) {
          const run = new RunOperations(process, ORDER)
          for (let step = 0; step < steps; step++) await advance(run)
          if (dies) process = startProcess(store, script, count)
        }
        const run = new RunOperations(process, ORDER)
        const end = await untilSuspendedOrEnded(run)
        expect(end).toMatchObject({ type: 'ended', result: { status: 'completed', text: 'All done.' } })
        // Another step of an ended run returns the same report.
        expect(await run.step(ON)).toEqual(end)
        const messages = (await loadRun(store, 'r')).transcript.toArray()
        expect(messages.map(({ role }) => role)).toEqual(expected)
        expect(isValidTranscript(messages)).toBe(true)
        expect([...executions.values()]).toEqual(Array.from({ length: 9 }, () => 1))
        // A crash between two steps interrupts no call.
        const ends = (await store.read('r')).filter(entry => entry.type === 'tool.ended')
        expect(ends.filter(({ error }) => error !== undefined)).toEqual([])
      }),
    )
  })

  it('drain finishes the running step, and the next attempt waits for it', async () => {
    const store = createMemoryStore()
    const gate = Promise.withResolvers<string>()
    const started = Promise.withResolvers<void>()
    const worker = startProcess(store, [{ toolCalls: [{ name: 'pay' }] }, 'Done.'], () => {
      started.resolve()
      return gate.promise
    })
    const first = new RunOperations(worker, ORDER)
    await first.step(ON)
    const step = advance(first)
    await started.promise
    const draining = first.drain()
    const second = new RunOperations(worker, ORDER)
    const end = untilSuspendedOrEnded(second)
    gate.resolve('paid')
    await Promise.all([step, draining])
    expect(await end).toMatchObject({ type: 'ended', result: { text: 'Done.' } })
    expect((await store.read('r')).filter(({ type }) => type === 'tool.started')).toHaveLength(1)
    await expect(first.step(ON)).rejects.toMatchObject({ info: { code: 'runtime-closed' } })
  })

  it('a worker is fenced when another process has resumed the run', async () => {
    const store = createMemoryStore()
    const gate = Promise.withResolvers<string>()
    const script: Script = ({ messages }) => (messages.length === 1 ? { toolCalls: [{ name: 'pay' }] } : 'Done.')
    const frozen = new RunOperations(
      startProcess(store, script, () => gate.promise),
      ORDER,
    )
    await frozen.step(ON)
    const step = advance(frozen)
    // Wait until the journal has the start of the call.
    await vi.waitFor(async () => expect((await store.read('r')).at(-1)?.type).toBe('tool.started'), 30_000)
    const end = await untilSuspendedOrEnded(new RunOperations(startProcess(store, script), ORDER))
    gate.resolve('paid')
    await expect(step).rejects.toMatchObject({ info: { code: 'store-fenced' } })
    expect(end).toMatchObject({ type: 'ended', result: { text: 'Done.' } })
    const ended = (await store.read('r')).filter(entry => entry.type === 'tool.ended')
    expect(ended).toMatchObject([{ error: { code: 'tool-interrupted' } }])
  })

  it('the journal has a decision before Restate learns that it was applied', async () => {
    const store = createMemoryStore()
    const paid: string[] = []
    const execute = (_: unknown, { idempotencyKey }: ToolContext) => `paid ${paid.push(idempotencyKey)}`
    const pay = defineTool({ name: 'pay', description: 'Pays.', input: { type: 'object' }, permission: 'ask', execute })
    const startAsking = (): Worker => {
      const model = scriptedModel(({ messages }) =>
        messages.length === 1 ? { toolCalls: [{ name: 'pay' }] } : 'All done.',
      )
      const runtime = createRuntime({ store, agents: [defineAgent({ name: 'a', model, tools: [pay] })] })
      return { ...startProcess(store, script), runtime }
    }
    const asked = await untilSuspendedOrEnded(new RunOperations(startAsking(), ORDER))
    const approvalId = asked.type === 'suspended' ? (asked.approvalIds[0] ?? '') : ''
    const decided = { approvalId, decision: { type: 'approved' as const } }
    const report = await new RunOperations(startAsking(), ORDER).step({ cancel: undefined, decided })
    expect(report).toMatchObject({ type: 'calls', batches: [[{ name: 'pay' }]] })
    // Restate continues in another process, which does not receive the decision again.
    const [[call] = []] = report.type === 'calls' ? report.batches : []
    const other = new RunOperations(startAsking(), ORDER)
    await other.call({ callId: call?.callId ?? '', cancel: undefined, news: {} })
    expect(paid).toHaveLength(1)
    expect(await untilSuspendedOrEnded(other)).toMatchObject({ type: 'ended', result: { text: 'All done.' } })
  })

  it('the run queues an input once, even if Restate delivers it twice', async () => {
    const store = createMemoryStore()
    const worker = startProcess(store, script)
    const run = new RunOperations(worker, ORDER)
    const input = { kind: 'steering' as const, message: 'hurry' }
    expect(await run.queue(input, 'r/0')).toEqual({})
    expect(await new RunOperations(startProcess(store, script), ORDER).queue(input, 'r/0')).toEqual({})
    await untilSuspendedOrEnded(new RunOperations(worker, ORDER))
    expect((await store.read('r')).filter(({ type }) => type === 'input.queued')).toHaveLength(1)
    const late = new RunOperations(worker, ORDER)
    expect(await late.queue(input, 'r/1')).toEqual({ error: { code: 'run-ended', runId: 'r' } })
  })

  it('step rejects with runtime-closed in a process that closes', async () => {
    const worker = startProcess(createMemoryStore(), script)
    worker.closing = true
    await expect(new RunOperations(worker, ORDER).step(ON)).rejects.toMatchObject({ info: { code: 'runtime-closed' } })
  })

  it('step reports why a run was refused, and writes no journal', async () => {
    const store = createMemoryStore()
    const run = new RunOperations(startProcess(store, script), { ...ORDER, agent: 'nobody' })
    expect(await run.step(ON)).toMatchObject({ type: 'refused', error: { code: 'agent-unknown' } })
    expect(await store.run('r')).toBeUndefined()
  })

  it('step throws for a started run whose agent the worker does not have, so that another worker takes it', async () => {
    const store = createMemoryStore()
    await new RunOperations(startProcess(store, script), ORDER).step(ON)
    const other = { ...startProcess(store, script), runtime: createRuntime({ store }) }
    await expect(new RunOperations(other, ORDER).step(ON)).rejects.toMatchObject({ info: { code: 'agent-unknown' } })
  })
})

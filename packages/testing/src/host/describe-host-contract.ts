import {
  checkOptions,
  isTerminalEntry,
  toolPending,
  type CancelReason,
  type Entry,
  type Submission,
  type ToolContext,
  type OptionKinds,
} from '@parley/core'
import { describe, expect, it, vi } from 'vitest'
import { calls, HostScene, type HostContractOptions, type Plot } from './host-scene.ts'

const OPTIONS: OptionKinds<HostContractOptions> = {
  createStore: 'function!',
  startWorker: 'function!',
  runWithoutHost: 'function!',
}

/**
 * Checks a host of durable runs from outside: by the journals of its runs, and by what models and tools see. The checks hold
 * whether the host takes the steps in this process or elsewhere, and whether or not it runs tool calls and child runs itself.
 */
export function describeHostContract(name: string, options: HostContractOptions): void {
  checkOptions('describeHostContract', options, OPTIONS)
  const open = async (plot: Plot): Promise<HostScene> => new HostScene(options, await options.createStore(), plot)
  describe(`${name} keeps the host contract`, () => {
    describeRuns(open)
    describeFailures(open)
    describeApprovals(open)
    describeClientCalls(open)
    describeChildren(open)
    describeStops(open)
  })
}

type Open = (plot: Plot) => Promise<HostScene>

function describeRuns(open: Open): void {
  const plot: Plot = { lead: [calls(1, 'read'), calls(2, 'once'), 'Done.'] }

  it('a hosted run writes the same journal as a run without a host', async () => {
    await using alone = await open(plot)
    await using hosted = await open(plot)
    await alone.runWithoutHost()
    await (await hosted.open()).start(hosted.order)
    expect((await hosted.entries()).map(comparable)).toEqual((await alone.entries()).map(comparable))
    expect(await hosted.status()).toBe('completed')
  })

  it('a hosted run calls each tool once and gives the model the results in the order of the calls', async () => {
    const names = ['once', 'read', 'once', 'read']
    await using scene = await open({ lead: [calls(1, ...names), calls(2, ...names), 'Done.'] })
    await (await scene.open()).start(scene.order)
    const expected = [1, 2].flatMap(turn => names.map((tool, index) => `${tool} call_${turn}_${index}`))
    expect(scene.started.toSorted()).toEqual(expected.toSorted())
    expect(scene.results()).toEqual(
      [1, 2].flatMap(turn => names.map((tool, index) => `call_${turn}_${index} ${tool} done`)),
    )
    expect(await scene.status()).toBe('completed')
  })

  it('a hosted run of a sequential agent runs its calls one after another in their order', async () => {
    let running = 0
    await using scene = await open({
      lead: [calls(1, 'read', 'once', 'read'), 'Done.'],
      toolExecution: 'sequential',
      async handle() {
        running += 1
        // Steady: a call that does not wait for this one begins within these milliseconds.
        await new Promise(resolve => setTimeout(resolve, 5))
        expect(running).toBe(1)
        running -= 1
      },
    })
    await (await scene.open()).start(scene.order)
    expect(scene.started).toEqual(['read call_1_0', 'once call_1_1', 'read call_1_2'])
    expect((await scene.entriesOf('tool.ended')).map(({ error }) => error)).toEqual([undefined, undefined, undefined])
  })
}

function describeFailures(open: Open): void {
  const plot: Plot = { lead: [calls(1, 'read', 'once'), calls(2, 'once'), 'Done.'] }

  it('a hosted run whose store fails at any append completes later, starts no once call twice and repeats no result', async () => {
    await using undisturbed = await open(plot)
    const steady = await undisturbed.open()
    await steady.start(undisturbed.order)
    for (let failure = 1; failure <= steady.appends.length; failure++) {
      await using scene = await open(plot)
      const worker = await scene.open([failure])
      await scene.complete(worker)
      expect(await scene.status()).toBe('completed')
      const once = scene.started.filter(start => start.startsWith('once'))
      expect(once).toEqual([...new Set(once)])
      expect(scene.results().map(callIdOf)).toEqual(undisturbed.results().map(callIdOf))
      const read = (await scene.entriesOf('tool.ended')).filter(({ name }) => name === 'read')
      expect(read.map(({ error }) => error)).toEqual([undefined])
    }
  })

  it('a hosted run whose store fails is not written by the same claim again', async () => {
    for (const failure of [2, 3, 4]) {
      await using scene = await open(plot)
      const worker = await scene.open([failure])
      await scene.complete(worker)
      const failed = worker.appends.findIndex(({ failed }) => failed)
      const { runId, fence } = worker.appends[failed]?.append ?? expect.unreachable()
      const later = worker.appends.slice(failed + 1).filter(({ append }) => append.runId === runId)
      expect(later.map(({ append }) => append.fence)).not.toContain(fence)
    }
  })

  it('a hosted run whose model fails for good ends as failed', async () => {
    const error = { code: 'model-invalid-request', provider: 'scripted', model: 'script', detail: 'Refused.' } as const
    await using scene = await open({ lead: [{ error }] })
    await (await scene.open()).start(scene.order)
    expect((await scene.entriesOf('run.ended')).map(({ outcome }) => outcome)).toMatchObject([
      { status: 'failed', error },
    ])
  })
}

function describeApprovals(open: Open): void {
  const plot: Plot = { lead: [calls(1, 'ask', 'read'), 'Done.'] }

  it('a hosted run is suspended for approval, and another process continues it after the decision', async () => {
    await using scene = await open(plot)
    const first = await scene.open()
    await first.start(scene.order)
    expect(await scene.status()).toBe('suspended')
    expect(scene.started).toEqual(['read call_1_1'])
    const [approvalId = ''] = await approvals(scene)
    await (await scene.open()).decide(scene.runId, approvalId, { type: 'approved' })
    expect(await scene.status()).toBe('completed')
    expect(scene.started).toEqual(['read call_1_1', 'ask call_1_0'])
  })

  it('a hosted run does not start a rejected call and gives the model the reason', async () => {
    await using scene = await open(plot)
    const worker = await scene.open()
    await worker.start(scene.order)
    const [approvalId = ''] = await approvals(scene)
    await worker.decide(scene.runId, approvalId, { type: 'rejected', reason: 'too expensive' })
    expect(await scene.status()).toBe('completed')
    expect(scene.started).toEqual(['read call_1_1'])
    expect(scene.results()[0]).toContain('too expensive')
  })
}

function describeClientCalls(open: Open): void {
  const result: Submission = { type: 'result', content: [{ type: 'text', text: 'submitted' }] }
  const handle = (_: ToolContext, tool: string): unknown => (tool === 'once' ? toolPending() : `${tool} done`)

  it('a hosted run waits for the result of a pending call, and another process continues it with the result', async () => {
    await using scene = await open({ lead: [calls(1, 'once', 'read'), 'Done.'], handle })
    const first = await scene.open()
    await first.start(scene.order)
    expect(await scene.status()).toBe('suspended')
    const [requestId = ''] = await clientCalls(scene)
    await (await scene.open()).decide(scene.runId, requestId, result)
    expect(await scene.status()).toBe('completed')
    expect(scene.results()).toEqual(['call_1_0 submitted', 'call_1_1 read done'])
    expect(scene.started).toEqual(['once call_1_0', 'read call_1_1'])
  })

  it('a pending call of a child run suspends its parent run, and the result continues both', async () => {
    await using scene = await open({ lead: [calls(1, 'help'), 'Done.'], helper: [calls(1, 'once'), 'Found.'], handle })
    const first = await scene.open()
    await first.start(scene.order)
    await vi.waitFor(async () => expect(await scene.status()).toBe('suspended'), 30_000)
    const [requestId = ''] = await clientCalls(scene)
    await (await scene.open()).decide(scene.runId, requestId, result)
    expect(await scene.status()).toBe('completed')
    expect(scene.started).toEqual(['once call_1_0'])
    expect(scene.results()).toEqual(['call_1_0 Found.'])
  })
}

function describeChildren(open: Open): void {
  it('a child run of a hosted run ends in its own journal, and its text is the result of the call', async () => {
    await using scene = await open({ lead: [calls(1, 'help', 'read'), 'Done.'], helper: [calls(1, 'once'), 'Found.'] })
    await (await scene.open()).start(scene.order)
    expect(await scene.status()).toBe('completed')
    const [child] = await scene.entriesOf('agent.started')
    const [ended, ...more] = await scene.entriesOf('agent.ended')
    expect([ended?.childRunId, more]).toEqual([child?.childRunId, []])
    expect(ended?.outcome).toMatchObject({ status: 'completed' })
    expect((await scene.entries(child?.childRunId))[0]).toMatchObject({
      parent: { runId: scene.runId, callId: 'call_1_0' },
    })
    expect(await scene.status(child?.childRunId)).toBe('completed')
    expect(scene.results()).toEqual(['call_1_0 Found.', 'call_1_1 read done'])
    expect(scene.started.toSorted()).toEqual(['once call_1_0', 'read call_1_1'])
  })

  it('a failed child run is the result of its call, and the parent run continues', async () => {
    const error = { code: 'model-invalid-request', provider: 'scripted', model: 'script', detail: 'Refused.' } as const
    await using scene = await open({ lead: [calls(1, 'help'), 'Done.'], helper: [{ error }] })
    await (await scene.open()).start(scene.order)
    expect(await scene.status()).toBe('completed')
    expect(scene.results()).toEqual(['call_1_0 The helper ended as failed.'])
  })

  it('a child run that is suspended for approval suspends its parent run, and a decision continues both', async () => {
    await using scene = await open({ lead: [calls(1, 'help'), 'Done.'], helper: [calls(1, 'ask'), 'Found.'] })
    const first = await scene.open()
    await first.start(scene.order)
    await vi.waitFor(async () => expect(await scene.status()).toBe('suspended'), 30_000)
    expect(scene.started).toEqual([])
    const [child] = await scene.entriesOf('agent.started')
    expect(await scene.status(child?.childRunId)).toBe('suspended')
    const [approvalId = ''] = await approvals(scene)
    await (await scene.open()).decide(scene.runId, approvalId, { type: 'approved' })
    expect(await scene.status()).toBe('completed')
    expect(await scene.status(child?.childRunId)).toBe('completed')
    expect(scene.started).toEqual(['ask call_1_0'])
    expect(scene.results()).toEqual(['call_1_0 Found.'])
  })
}

function describeStops(open: Open): void {
  const reason: CancelReason = { kind: 'user', detail: 'not needed' }

  it('a cancelled hosted run stops its tool call and ends as cancelled', async () => {
    const hanging = hang()
    await using scene = await open({ lead: [calls(1, 'read'), 'Done.'], handle: hanging.handle })
    const worker = await scene.open()
    const driving = worker.start(scene.order)
    const { signal } = await hanging.begun
    await worker.cancel(scene.runId, reason)
    await driving
    expect(signal.aborted).toBe(true)
    expect((await scene.entriesOf('run.ended')).map(({ outcome }) => outcome)).toEqual([
      { status: 'cancelled', reason },
    ])
  })

  it('a cancelled hosted run cancels its child run', async () => {
    const hanging = hang()
    await using scene = await open({
      lead: [calls(1, 'help'), 'Done.'],
      helper: [calls(1, 'read'), 'Found.'],
      handle: hanging.handle,
    })
    const worker = await scene.open()
    const driving = worker.start(scene.order)
    await hanging.begun
    await worker.cancel(scene.runId, reason)
    await driving
    const [child] = await scene.entriesOf('agent.started')
    expect(await scene.status(child?.childRunId)).toBe('cancelled')
    expect(await scene.status()).toBe('cancelled')
  })

  it('a released process writes nothing more, and another process completes the run', async () => {
    const late = Promise.withResolvers<string>()
    const begun = Promise.withResolvers<void>()
    await using scene = await open({
      lead: [calls(1, 'read'), 'Done.'],
      handle: () => {
        begun.resolve()
        return late.promise
      },
    })
    const first = await scene.open()
    const driving = first.start(scene.order)
    await begun.promise
    await first.release()
    const { length } = await scene.entries()
    expect((await scene.entries()).some(entry => entry.type === 'run.ended')).toBe(false)
    late.resolve('seen')
    await driving
    // Steady: nothing announces that a process does not write. On a loaded machine the test can only miss a fault.
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(await scene.entries()).toHaveLength(length)
    const second = await scene.open()
    await second.resume(scene.runId)
    expect(await scene.status()).toBe('completed')
    expect(scene.results()).toEqual(['call_1_0 seen'])
    expect((await scene.entries()).filter(isTerminalEntry)).toHaveLength(1)
  })
}

/** A handler that never returns and rejects when its signal is aborted. */
function hang() {
  const begun = Promise.withResolvers<ToolContext>()
  const handle = (context: ToolContext): Promise<never> => {
    begun.resolve(context)
    return new Promise((_, reject) => {
      context.signal.addEventListener('abort', () => reject(context.signal.reason as Error), { once: true })
    })
  }
  return { begun: begun.promise, handle }
}

/** The fields of an entry that do not depend on the run's id or the time. */
function comparable(entry: Entry): object {
  const changing = new Set(['at', 'durationMs', 'firstTokenMs', 'sessionId', 'worker'])
  return Object.fromEntries(Object.entries(entry).filter(([field]) => !changing.has(field)))
}

function callIdOf(result: string): string | undefined {
  return result.split(' ')[0]
}

async function clientCalls(scene: HostScene): Promise<readonly string[]> {
  const suspensions = await scene.entriesOf('run.suspended')
  return suspensions.at(-1)?.clientCalls?.map(({ requestId }) => requestId) ?? []
}

async function approvals(scene: HostScene): Promise<readonly string[]> {
  const suspensions = await scene.entriesOf('run.suspended')
  return suspensions.at(-1)?.approvals.map(({ approvalId }) => approvalId) ?? []
}

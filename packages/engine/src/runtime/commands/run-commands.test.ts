import { defineTool, type ClaimRequest, type Entry, type JournalAppend, type Store, type Tool } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { fakeClock, scriptedModel, type ScriptStep } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { agentTool, createRuntime, defineAgent, type Runtime, type RuntimeOptions } from '../../index.ts'

const YES = { decision: { type: 'approved' } } as const
const NO = { decision: { type: 'rejected', reason: 'no' } } as const

const tool = (name: string, execute: Tool['execute'], permission: Tool['permission'] = 'allow'): Tool =>
  defineTool({ name, description: name, input: { type: 'object' }, permission, execute })

/** Runtimes over one store, as processes have them. Their agent pays after an approval. */
function setup(kept: Store = createMemoryStore(), permission: Tool['permission'] = 'ask') {
  const paid: string[] = []
  const pay = tool('pay', (_, { run }) => `paid ${paid.push(run.runId)}`, permission)
  const say = (answered: boolean): ScriptStep => (answered ? 'Done.' : { toolCalls: [{ name: 'pay' }] })
  const clock = fakeClock()
  const runtimeOn = (store: Store = kept, options: RuntimeOptions = {}): Runtime => {
    const model = scriptedModel(({ messages }) => say(messages.length > 1))
    return createRuntime({ store, clock, agents: [defineAgent({ name: 'a', model, tools: [pay] })], ...options })
  }
  const suspend = async (runtime: Runtime = runtimeOn()) => {
    const result = await runtime.run('a', 'go').result
    if (result.status !== 'suspended') throw new Error(`the run is ${result.status}`)
    return { runId: result.runId, approvalId: result.approvals[0]?.approvalId ?? '' }
  }
  return { kept, paid, clock, runtimeOn, suspend }
}

/** A store whose claims are granted together, once `count` of them have been made. */
function withMeetingClaims(store: Store, count: number): Store {
  let made = 0
  const met = Promise.withResolvers<void>()
  return {
    ...store,
    claim: async (request: ClaimRequest) => {
      if (++made === count) met.resolve()
      const claim = await store.claim(request)
      await met.promise
      return claim
    },
  }
}

/** A store that keeps the first append with an entry of this type until it is released. */
function withHeldEntry(store: Store, type: Entry['type']) {
  const reached = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const append = async (request: JournalAppend): Promise<void> => {
    if (request.entries.some(entry => entry.type === type)) {
      reached.resolve()
      await gate.promise
    }
    await store.append(request)
  }
  return { store: { ...store, append }, reached: reached.promise, release: () => gate.resolve() }
}

const typesOf = async (store: Store, runId: string): Promise<readonly string[]> =>
  (await store.read(runId)).map(({ type }) => type)

const codeOf = (settled: PromiseSettledResult<unknown>): string =>
  settled.status === 'fulfilled' ? 'accepted' : (settled.reason as { info: { code: string } }).info.code

describe('two processes that claim a suspended run at the same time', () => {
  it.each([
    { both: 'approve', decisions: [YES, YES] },
    { both: 'approve and reject', decisions: [YES, NO] },
  ])(
    'when both $both, one decision counts, the other is refused with approval-decided, and the run ends',
    async given => {
      const { decisions } = given
      const { kept, paid, runtimeOn, suspend } = setup()
      const { runId, approvalId } = await suspend()
      const store = withMeetingClaims(kept, 2)
      const settled = await Promise.allSettled(
        decisions.map(decision => runtimeOn(store).decide(runId, approvalId, decision)),
      )
      expect(settled.map(codeOf).toSorted()).toEqual(['accepted', 'approval-decided'])
      const winner = settled.findIndex(({ status }) => status === 'fulfilled')
      const [accepted] = settled.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
      expect(await accepted?.result).toMatchObject({ status: 'completed' })
      expect(paid).toHaveLength(decisions[winner] === YES ? 1 : 0)
      expect((await typesOf(kept, runId)).filter(type => type === 'approval.decided')).toHaveLength(1)
    },
  )

  it('when both resume, one is refused with run-busy and the other drives the run', async () => {
    const { kept, paid, runtimeOn, suspend } = setup()
    const { runId, approvalId } = await suspend()
    const store = withMeetingClaims(kept, 2)
    const settled = await Promise.allSettled([1, 2].map(() => runtimeOn(store).resume(runId)))
    expect(settled.map(codeOf).toSorted()).toEqual(['accepted', 'run-busy'])
    for (const each of settled) if (each.status === 'fulfilled') await each.value.result
    await (
      await runtimeOn().decide(runId, approvalId, YES)
    ).result
    expect(paid).toEqual([runId])
  })

  it('when one approves and one cancels, the cancel is never lost', async () => {
    const { kept, paid, runtimeOn, suspend } = setup()
    const { runId, approvalId } = await suspend()
    const store = withMeetingClaims(kept, 2)
    const settled = await Promise.allSettled([
      runtimeOn(store).decide(runId, approvalId, YES),
      runtimeOn(store).cancel(runId),
    ])
    expect(['accepted', 'run-ended', 'approval-decided']).toContain(codeOf(settled[0] as PromiseSettledResult<unknown>))
    const [, cancelled] = settled
    expect(cancelled.status === 'fulfilled' && (await cancelled.value.result)).toMatchObject({ status: 'cancelled' })
    const types = await typesOf(kept, runId)
    expect(paid.length).toBeLessThanOrEqual(types.filter(type => type === 'tool.started').length)
    expect(types.at(-1)).toBe('run.ended')
  })

  it('a second process does not take a run from the process that took it from a dead worker', async () => {
    const { kept, clock, runtimeOn } = setup()
    const entries = [
      {
        v: 1,
        seq: 1,
        at: 0,
        type: 'run.started',
        agent: 'a',
        model: 'm',
        sessionId: 's',
        scope: 'default',
        relation: 'initial',
      },
    ]
    await kept.append({ runId: 'r', expectedSeq: 0, worker: 'gone', fence: 1, entries: entries as readonly Entry[] })
    await kept.heartbeat({ worker: 'gone', at: clock.now(), ttlMs: 60_000 })
    const refused = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const slow: Store = {
      ...kept,
      claim: async request => {
        const claim = await kept.claim(request)
        refused.resolve()
        await gate.promise
        return claim
      },
    }
    const isWorkerGone = (worker: string): boolean => worker === 'gone'
    const late = runtimeOn(slow, { isWorkerGone }).resume('r')
    await refused.promise
    const run = await runtimeOn(kept, { isWorkerGone }).resume('r')
    gate.resolve()
    await expect(late).rejects.toMatchObject({ info: { code: 'run-busy' } })
    expect((await run.result).status).not.toBe('interrupted')
  })
})

describe('commands of one process', () => {
  it('two attempts to resume a run take turns, and the second is refused with run-busy', async () => {
    const { kept, runtimeOn, suspend } = setup()
    const { runId } = await suspend()
    const { store, reached, release } = withHeldEntry(kept, 'run.resumed')
    const runtime = runtimeOn(store)
    const both = Promise.allSettled([runtime.resume(runId), runtime.resume(runId)])
    await reached
    release()
    expect((await both).map(codeOf)).toEqual(['accepted', 'run-busy'])
    expect((await typesOf(kept, runId)).filter(type => type === 'run.resumed')).toHaveLength(1)
  })

  it('two decisions in the same tick: the second is refused with approval-decided', async () => {
    const { paid, runtimeOn, suspend } = setup()
    const runtime = runtimeOn()
    const { runId, approvalId } = await suspend(runtime)
    const both = await Promise.allSettled([1, 2].map(() => runtime.decide(runId, approvalId, YES)))
    expect(both.map(codeOf)).toEqual(['accepted', 'approval-decided'])
    for (const each of both) if (each.status === 'fulfilled') await each.value.result
    expect(paid).toEqual([runId])
  })

  it('a decision while the suspension is written resumes the run', async () => {
    const { kept, paid, runtimeOn } = setup()
    const { store, reached, release } = withHeldEntry(kept, 'run.suspended')
    const runtime = runtimeOn(store)
    const run = runtime.run('a', 'go')
    await reached
    const request = (await runtime.pending(run.runId)).approvals[0]
    const deciding = runtime.decide(run.runId, request?.approvalId ?? '', YES)
    release()
    expect(await run.result).toMatchObject({ status: 'suspended' })
    expect(await (await deciding).result).toMatchObject({ status: 'completed', text: 'Done.' })
    expect(paid).toEqual([run.runId])
    const types = await typesOf(kept, run.runId)
    expect(types.slice(types.indexOf('run.suspended'), -1)).toContain('run.resumed')
    expect(types[types.indexOf('run.suspended') + 1]).toBe('run.resumed')
  })

  it('a cancel while the suspension is written ends the run', async () => {
    const { kept, runtimeOn } = setup()
    const { store, reached, release } = withHeldEntry(kept, 'run.suspended')
    const runtime = runtimeOn(store)
    const run = runtime.run('a', 'go')
    await reached
    const cancelling = runtime.cancel(run.runId)
    release()
    expect(await run.result).toMatchObject({ status: 'suspended' })
    expect(await (await cancelling).result).toMatchObject({ status: 'cancelled' })
  })

  it('a message while the end is written is refused with run-ended', async () => {
    const { kept, runtimeOn } = setup(createMemoryStore(), 'allow')
    const { store, reached, release } = withHeldEntry(kept, 'run.ended')
    const runtime = runtimeOn(store)
    const run = runtime.run('a', 'go')
    await reached
    const steering = runtime.steer(run.runId, 'more').catch((error: unknown) => error)
    release()
    expect(await steering).toMatchObject({ info: { code: 'run-ended' } })
    expect((await typesOf(kept, run.runId)).at(-1)).toBe('run.ended')
  })
})

describe('a command resolves when its record is durable', () => {
  it('cancel resolves after cancel.requested is in the journal', async () => {
    const begun = Promise.withResolvers<void>()
    const { store, reached, release } = withHeldEntry(createMemoryStore(), 'cancel.requested')
    const wait = tool('wait', (_, { signal }) => {
      begun.resolve()
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
    })
    const model = scriptedModel([{ toolCalls: [{ name: 'wait' }] }])
    const runtime = createRuntime({
      store,
      clock: fakeClock(),
      agents: [defineAgent({ name: 'a', model, tools: [wait] })],
    })
    const run = runtime.run('a', 'go')
    await begun.promise
    let resolved = false
    const cancelling = runtime.cancel(run.runId).then(() => (resolved = true))
    await reached
    await new Promise(setImmediate)
    expect(resolved).toBe(false)
    release()
    await cancelling
    expect(await typesOf(store, run.runId)).toContain('cancel.requested')
    expect(await run.result).toMatchObject({ status: 'cancelled' })
  })

  it('a cancel of a run that is being released is in the journal, and the resumed run ends as cancelled', async () => {
    const begun = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const kept = createMemoryStore()
    const released = Promise.withResolvers<void>()
    const wait = tool('wait', (_, { signal }) => {
      signal.addEventListener('abort', () => released.resolve())
      begun.resolve()
      return gate.promise.then(() => 'waited')
    })
    const options = () => ({
      store: kept,
      agents: [
        defineAgent({
          name: 'a',
          model: scriptedModel(({ messages }) => (messages.length > 1 ? 'Done.' : { toolCalls: [{ name: 'wait' }] })),
          tools: [wait],
        }),
      ],
    })
    const runtime = createRuntime(options())
    const run = runtime.run('a', 'go')
    await begun.promise
    const closing = runtime.close({ onClose: 'suspend', drainMs: 0 })
    await released.promise
    const cancelling = runtime.cancel(run.runId).catch((error: unknown) => error)
    gate.resolve()
    await closing
    expect(await cancelling).toMatchObject({ runId: run.runId })
    expect(await typesOf(kept, run.runId)).toContain('cancel.requested')
    if ((await kept.run(run.runId))?.status === 'suspended') {
      expect(await (await createRuntime(options()).resume(run.runId)).result).toMatchObject({ status: 'cancelled' })
    }
    expect((await kept.run(run.runId))?.status).toBe('cancelled')
  })

  it('decide resolves after approval.decided is in the journal', async () => {
    const { kept, runtimeOn, suspend } = setup()
    const { runId, approvalId } = await suspend()
    await runtimeOn().decide(runId, approvalId, YES)
    expect(await typesOf(kept, runId)).toContain('approval.decided')
  })

  it('a decision that a process put into the inbox of a suspended run before it died is followed by resumeAll', async () => {
    const { kept, paid, runtimeOn, suspend } = setup()
    const { runId, approvalId } = await suspend()
    const command = { type: 'decide' as const, approvalId, decision: YES.decision }
    await kept.inbox?.put({ runId, id: 'i', at: 0, command })
    const { runs } = await runtimeOn().resumeAll()
    expect(await runs[0]?.result).toMatchObject({ status: 'completed' })
    expect(paid).toEqual([runId])
  })
})

describe('the pending approvals of a run', () => {
  it('approvals lists the requests of a run and changes nothing', async () => {
    const { kept, runtimeOn, suspend } = setup()
    const { runId, approvalId } = await suspend()
    const before = await kept.read(runId)
    const reader = runtimeOn()
    expect((await reader.pending(runId)).approvals).toMatchObject([{ approvalId, name: 'pay' }])
    expect(await kept.read(runId)).toEqual(before)
    await expect(reader.pending(runId, { scope: 'other' })).rejects.toMatchObject({ info: { code: 'run-unknown' } })
    await (
      await reader.decide(runId, approvalId, YES)
    ).result
    expect((await reader.pending(runId)).approvals).toEqual([])
  })

  it('approvals lists the request of a child run, suspended or still running, with the id of the child run', async () => {
    const gate = Promise.withResolvers<string>()
    const store = createMemoryStore()
    const answers: ScriptStep[] = [{ toolCalls: [{ name: 'pay' }, { name: 'work' }] }, 'Helped.']
    const work = tool('work', () => gate.promise)
    const helper = defineAgent({
      name: 'helper',
      model: scriptedModel(answers),
      tools: [tool('pay', () => 'paid', 'ask'), work],
    })
    const model = scriptedModel([{ toolCalls: [{ name: 'helper', input: { task: 'pay' } }] }, 'Done.'])
    const lead = defineAgent({ name: 'a', model, tools: [agentTool(helper)] })
    const runtime = createRuntime({ store, clock: fakeClock(), agents: [lead, helper] })
    const run = runtime.run('a', 'go')
    for await (const event of run) if (event.type === 'approval.requested') break
    const [child] = await store.runs({ scope: 'default', relation: 'sub-agent' })
    const { approvals: running } = await runtime.pending(run.runId)
    expect(running).toMatchObject([{ name: 'pay', runId: child?.runId }])
    gate.resolve('worked')
    expect(await run.result).toMatchObject({ status: 'suspended' })
    expect((await runtime.pending(run.runId)).approvals).toEqual(running)
  })

  it('a run that this process drives is unknown to commands of another scope', async () => {
    const runtime = createRuntime({ agents: [defineAgent({ name: 'a', model: scriptedModel([{ hang: true }]) })] })
    const run = runtime.run('a', 'go')
    const [id, other] = [run.runId, { scope: 'other' }] as const
    for (const command of [
      () => runtime.cancel(id, other),
      () => runtime.steer(id, 'hurry', other),
      () => runtime.followUp(id, 'more', other),
    ])
      await expect(command()).rejects.toMatchObject({ info: { code: 'run-unknown' } })
    await run.cancel()
  })

  it('a cancelled run has no pending approvals', async () => {
    const { runtimeOn, suspend } = setup()
    const runtime = runtimeOn()
    const { runId } = await suspend(runtime)
    await (
      await runtime.cancel(runId)
    ).result
    expect((await runtime.pending(runId)).approvals).toEqual([])
  })
})

describe('a run that cannot begin', () => {
  it('a run whose session is busy has failed with session-busy, and has no journal', async () => {
    const { kept, runtimeOn } = setup()
    const runtime = runtimeOn()
    await runtime.run('a', 'go', { sessionId: 's' }).result
    const result = await runtime.run('a', 'more', { sessionId: 's', runId: 'second' }).result
    expect(result).toMatchObject({ status: 'failed', error: { code: 'session-busy', sessionId: 's' } })
    expect(await kept.run('second')).toBeUndefined()
    const { left, runs } = await runtime.resumeAll()
    expect([...left, ...runs]).toEqual([])
  })

  it('a run with the id of another run has failed with store-conflict', async () => {
    const { runtimeOn, suspend } = setup()
    const { runId } = await suspend()
    const result = await runtimeOn().run('a', 'go', { runId }).result
    expect(result).toMatchObject({ status: 'failed', error: { code: 'store-conflict' } })
  })

  it('a run whose first append the store did not answer is interrupted, because the store may have it', async () => {
    const kept = createMemoryStore()
    const { runtimeOn } = setup(kept, 'allow')
    const store: Store = {
      ...kept,
      append: async request => {
        await kept.append(request)
        throw new Error('the connection broke')
      },
    }
    expect(await runtimeOn(store).run('a', 'go', { runId: 'r' }).result).toMatchObject({ status: 'interrupted' })
    expect(await (await runtimeOn().resume('r', { force: true })).result).toMatchObject({ status: 'completed' })
  })
})

import { ZERO_USAGE, userMessage, type Entry, type ErrorInfo } from '@parley/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EntryBody } from '../run-context/run-journal.ts'
import { evolve, evolveAll } from './evolve.ts'
import { initialState, type RunState } from './run-state.ts'

const identity = { agent: 'a', model: 'p/m', sessionId: 's', scope: 'default', relation: 'initial' as const }
const started: EntryBody = { type: 'run.started', ...identity }
const asked: EntryBody = { type: 'message.appended', source: 'input', message: userMessage('go') }
const resumed: EntryBody = { type: 'run.resumed', worker: 'w' }
const said = (...callIds: string[]): EntryBody => ({
  type: 'message.appended',
  source: 'model',
  message: {
    role: 'assistant',
    content: callIds.map(callId => ({ type: 'tool-call' as const, callId, name: 'add', arguments: '{}' })),
  },
})
const asks = (callId: string): EntryBody => ({
  type: 'approval.requested',
  turn: 1,
  request: { approvalId: `q-${callId}`, callId, name: 'add', input: {}, prompt: '?' },
})
const approved = (callId: string): EntryBody => ({
  type: 'approval.decided',
  approvalId: `q-${callId}`,
  decision: { type: 'approved' },
})
const rejected = (callId: string): EntryBody => ({
  type: 'approval.decided',
  approvalId: `q-${callId}`,
  decision: { type: 'rejected', reason: 'no' },
})

/** Entries a second apart, or at the given times. */
function toEntries(bodies: readonly EntryBody[], times: readonly number[] = []): Entry[] {
  return bodies.map(
    (body, index) => ({ ...body, v: 1, seq: index + 1, at: times[index] ?? (index + 1) * 1_000 }) as Entry,
  )
}

function fold(bodies: readonly EntryBody[], times: readonly number[] = []): RunState {
  let state = initialState()
  for (const entry of toEntries(bodies, times)) {
    state = evolve(state, entry)
  }
  return state
}

describe('the fold of decisions', () => {
  it('the first decision about a call counts, and a second one changes nothing', () => {
    const state = fold([started, asked, said('a'), asks('a'), approved('a'), rejected('a')])
    expect(state.calls?.map(({ approval }) => approval?.decision?.type)).toEqual(['approved'])
  })

  it('a decision answers only the call whose request it names', () => {
    const state = fold([started, asked, said('a', 'b'), asks('a'), asks('b'), rejected('b')])
    expect(state.calls?.map(({ approval }) => approval?.decision?.type)).toEqual([undefined, 'rejected'])
  })
})

describe('the fold of child runs', () => {
  const child = { callId: 'a', childRunId: 'child' }
  const begun: EntryBody = { type: 'agent.started', ...child, key: '#0', agent: 'b' }
  const usage = { ...ZERO_USAGE, input: 10, output: 5 }
  const cost = { usd: 1, pricedAt: '2026-01-01' }
  const outcome = { status: 'completed' as const, finish: 'stop' as const }
  const ended: EntryBody = { type: 'agent.ended', ...child, outcome, text: '', usage, cost, turns: 1 }

  it('the usage and cost of a child run count once, even if its end is recorded twice', () => {
    const state = fold([started, asked, said('a'), begun, ended, ended])
    expect(state).toMatchObject({ usage: { input: 10, output: 5 }, cost: { usd: 1 } })
  })

  it('the usage of a run that is not a child run of the call does not count', () => {
    const state = fold([started, asked, said('a'), ended])
    expect(state.usage).toEqual(ZERO_USAGE)
  })
})

describe('the fold of a resumed run', () => {
  it('the time before a resumption counts as idle, and no time passes if the clock was set back', () => {
    expect(fold([started, asked, resumed], [0, 1_000, 61_000]).idleMs).toBe(60_000)
    expect(fold([started, asked, resumed, resumed], [0, 61_000, 1_000, 3_000]).idleMs).toBe(2_000)
  })

  it('resumptions are counted until an entry shows progress, and the start of a call shows none', () => {
    const call = { turn: 1, callId: 'a', name: 'add' }
    const begins: EntryBody = { type: 'tool.started', ...call, input: {}, effect: 'read', attempt: 1 }
    const message = { role: 'tool' as const, callId: 'a', name: 'add', content: [] }
    const ends: EntryBody = { type: 'tool.ended', ...call, message, durationMs: 1 }
    const stuck = [started, asked, said('a'), resumed, begins, resumed]
    expect(fold(stuck).resumes).toHaveLength(2)
    expect(fold([...stuck, ends]).resumes).toEqual([])
  })
})

it('a run ends for the first limit that it reached', () => {
  const reached = (limit: 'turns' | 'tokens'): EntryBody => ({
    type: 'limit.reached',
    hit: { limit, max: 1, value: 1 },
  })
  expect(fold([started, asked, reached('turns'), reached('tokens')]).limit?.limit).toBe('turns')
})

describe('the fold of an answer', () => {
  const tool = (callId: string, fields: Partial<Extract<EntryBody, { type: 'tool.ended' }>> = {}): EntryBody => {
    const message = { role: 'tool' as const, callId, name: 'add', content: [] }
    return { type: 'tool.ended', turn: 1, callId, name: 'add', message, durationMs: 1, ...fields }
  }

  it('the first handoff of an answer counts', () => {
    const handoff = (to: string) => ({ handoff: { to, carryContext: true } })
    const state = fold([started, asked, said('a', 'b'), tool('a', handoff('one')), tool('b', handoff('two'))])
    expect(state.handoff).toMatchObject({ to: 'one', callId: 'a' })
  })

  it('the first accepted output counts until a new user message makes it obsolete', () => {
    const accepted = (value: number): EntryBody => ({ type: 'output.accepted', value })
    const queued: EntryBody = { type: 'input.queued', kind: 'follow-up', queueId: 'q', message: userMessage('more') }
    const joined: EntryBody = {
      type: 'message.appended',
      source: 'follow-up',
      queueId: 'q',
      message: userMessage('more'),
    }
    const before = [started, asked, accepted(1), accepted(2), queued]
    expect(fold(before)).toMatchObject({ output: { value: 1 }, queue: [{ queueId: 'q' }] })
    expect(fold([...before, joined])).toMatchObject({ output: undefined, queue: [] })
  })

  it('a request for an approval ends the attempt, so that a once tool may run after the decision', () => {
    const begins: EntryBody = {
      type: 'tool.started',
      turn: 1,
      callId: 'a',
      name: 'add',
      input: {},
      effect: 'once',
      attempt: 1,
    }
    const state = fold([started, asked, said('a'), begins, asks('a'), approved('a')])
    expect(state.calls).toMatchObject([{ attempts: 1, effect: undefined }])
  })

  it('a model call that a cancel interrupted is not a failure of the run', () => {
    const failed = (error: ErrorInfo): EntryBody => ({
      type: 'model.failed',
      turn: 1,
      model: 'p/m',
      error,
      usage: ZERO_USAGE,
      durationMs: 1,
    })
    expect(fold([started, asked, failed({ code: 'cancelled', kind: 'user' })]).failure).toBeUndefined()
    const down = { code: 'model-server', provider: 'p', detail: 'down' } as const
    expect(fold([started, asked, failed(down)]).failure).toEqual(down)
  })
})

describe('evolveAll', () => {
  const ended = (callId: string): EntryBody => ({
    type: 'tool.ended',
    turn: 1,
    callId,
    name: 'add',
    message: { role: 'tool', callId, name: 'add', content: [] },
    durationMs: 1,
  })
  const called: EntryBody = {
    type: 'model.called',
    turn: 1,
    model: 'p/m',
    finish: 'stop',
    usage: { ...ZERO_USAGE, input: 5 },
    durationMs: 1,
  }
  const queued: EntryBody = { type: 'input.queued', queueId: 'q', kind: 'steering', message: userMessage('wait') }
  const bodies = fc.constantFrom(
    asked,
    said(),
    said('a'),
    said('a', 'b'),
    asks('a'),
    approved('a'),
    rejected('b'),
    resumed,
    ended('a'),
    ended('b'),
    called,
    queued,
  )
  const plain = (state: RunState) => ({
    ...state,
    transcript: state.transcript.toArray(),
    size: state.transcript.size,
  })

  it('evolveAll computes the state that evolve computes entry by entry, however the entries are divided', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(bodies, fc.nat(9_999)), { maxLength: 25 }), fc.nat(25), (steps, cut) => {
        const entries = toEntries([started, ...steps.map(([body]) => body)], [0, ...steps.map(([, at]) => at)])
        let oneByOne = initialState()
        for (const entry of entries) oneByOne = evolve(oneByOne, entry)
        const first = evolveAll(initialState(), entries.slice(0, cut))
        const before = plain(first)
        expect(plain(evolveAll(first, entries.slice(cut)))).toEqual(plain(oneByOne))
        expect(plain(first)).toEqual(before)
      }),
    )
  })
})

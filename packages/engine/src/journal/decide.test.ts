import { ZERO_USAGE, userMessage, type Entry } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { decide, type Policy } from './decide.ts'
import { evolve } from './evolve.ts'
import type { EntryBody } from '../run-context/run-journal.ts'
import { initialState, type RunState } from './run-state.ts'

const policy: Policy = { limits: {}, onLimit: 'stop' }
const started: EntryBody = {
  type: 'run.started',
  agent: 'a',
  model: 'p/m',
  sessionId: 's',
  scope: 'default',
  relation: 'initial',
}
const asked: EntryBody = { type: 'message.appended', source: 'input', message: userMessage('go') }
const called = (turn: number, usage = ZERO_USAGE): EntryBody => ({
  type: 'model.called',
  turn,
  model: 'p/m',
  finish: 'stop',
  usage,
  durationMs: 1,
})
const said = (text: string, ...callIds: string[]): EntryBody => ({
  type: 'message.appended',
  source: 'model',
  message: {
    role: 'assistant',
    content: [
      { type: 'text', text },
      ...callIds.map(callId => ({ type: 'tool-call' as const, callId, name: 'add', arguments: '{}' })),
    ],
  },
})
const ended = (callId: string): EntryBody => ({
  type: 'tool.ended',
  turn: 1,
  callId,
  name: 'add',
  durationMs: 1,
  message: { role: 'tool', callId, name: 'add', content: [{ type: 'text', text: callId }] },
})
const queued = (kind: 'steering' | 'follow-up', queueId: string): EntryBody => ({
  type: 'input.queued',
  kind,
  queueId,
  message: userMessage(queueId),
})

/** Entries a second apart. */
function fold(...bodies: EntryBody[]): RunState {
  let state = initialState()
  for (const [index, body] of bodies.entries()) {
    state = evolve(state, { ...body, v: 1, seq: index + 1, at: (index + 1) * 1_000 } as Entry)
  }
  return state
}

describe('decide', () => {
  it('decide calls the model for new input', () => {
    expect(decide(fold(started, asked), policy)).toEqual({ type: 'call-model', turn: 1, final: false })
  })

  it('decide ends the run after an answer without tool calls', () => {
    const state = fold(started, asked, called(1), said('done'))
    expect(decide(state, policy)).toEqual({ type: 'end', outcome: { status: 'completed', finish: 'stop' } })
  })

  it('decide runs the calls of an answer before it takes steering', () => {
    const state = fold(started, asked, called(1), said('', 'a', 'b'), queued('steering', 'q'), ended('a'))
    expect(decide(state, policy)).toMatchObject({
      type: 'run-tools',
      calls: [{ call: { callId: 'b' } }],
    })
  })

  it('decide awaits approvals only when no other call is open, and never while the run is stopping', () => {
    const request = { approvalId: 'q1', callId: 'a', name: 'add', input: {}, prompt: '?' }
    const asks: EntryBody = { type: 'approval.requested', turn: 1, request }
    const asking = [started, asked, called(1), said('', 'a', 'b'), asks]
    expect(decide(fold(...asking), policy)).toMatchObject({ type: 'run-tools' })
    expect(decide(fold(...asking, ended('b')), policy)).toEqual({ type: 'await-answers', requests: [request] })
    const decided: EntryBody = { type: 'approval.decided', approvalId: 'q1', decision: { type: 'approved' } }
    expect(decide(fold(...asking, ended('b'), decided), policy)).toMatchObject({
      type: 'run-tools',
      calls: [{ call: { callId: 'a' } }],
    })
    const cancel: EntryBody = { type: 'cancel.requested', reason: { kind: 'user' } }
    expect(decide(fold(...asking, ended('b'), cancel), policy)).toMatchObject({ type: 'run-tools' })
  })

  it('decide appends results in call order', () => {
    const state = fold(started, asked, called(1), said('', 'a', 'b'), ended('b'), ended('a'))
    expect(
      state.transcript.toArray().map(message => (message.role === 'tool' ? message.callId : message.role)),
    ).toEqual(['user', 'assistant', 'a', 'b'])
    expect(decide(state, policy)).toEqual({ type: 'call-model', turn: 2, final: false })
  })

  it('decide takes steering before the next model call, and one follow-up when the run would end', () => {
    const steered = fold(
      started,
      asked,
      called(1),
      said('', 'a'),
      ended('a'),
      queued('follow-up', 'f'),
      queued('steering', 's'),
    )
    expect(decide(steered, policy)).toMatchObject({ type: 'take-queued', inputs: [{ queueId: 's' }] })
    const done = fold(started, asked, called(1), said('x'), queued('follow-up', 'f1'), queued('follow-up', 'f2'))
    expect(decide(done, policy)).toMatchObject({ type: 'take-queued', inputs: [{ queueId: 'f1' }] })
  })

  it('decide calls the model again after a provider pause', () => {
    const paused: EntryBody = { ...(called(1) as Extract<EntryBody, { type: 'model.called' }>), finish: 'pause' }
    expect(decide(fold(started, asked, paused, said('part')), policy)).toMatchObject({ type: 'call-model', turn: 2 })
  })

  it.each([
    ['turns', { maxTurns: 1 }, 1],
    ['tokens', { maxTokens: 25 }, 25],
    ['duration', { maxDurationMs: 4_000 }, 4_000],
  ] as const)('decide reaches the %s limit when the value equals the maximum', (limit, limits, value) => {
    const usage = { ...ZERO_USAGE, input: 10, output: 5, cacheRead: 7, cacheWrite: 3 }
    const state = fold(started, asked, called(1, usage), said('', 'a'), ended('a'))
    expect(decide(state, { ...policy, limits })).toEqual({ type: 'reach-limit', hit: { limit, max: value, value } })
    expect(decide(state, { ...policy, limits: { maxTurns: 2, maxTokens: 26, maxDurationMs: 4_001 } })).toMatchObject({
      type: 'call-model',
    })
  })

  it('decide reaches the cost limit if prices are known', () => {
    const call = {
      ...(called(1) as Extract<EntryBody, { type: 'model.called' }>),
      cost: { usd: 0.5, pricedAt: '2026-01-01' },
    }
    const state = fold(started, asked, call, said('', 'a'), ended('a'))
    expect(decide(state, { ...policy, limits: { maxCost: 0.5 } })).toMatchObject({
      type: 'reach-limit',
      hit: { limit: 'cost', value: 0.5 },
    })
  })

  it('decide records a reached limit, then stops, fails or lets the model answer once without tools', () => {
    const hit = { limit: 'turns', max: 1, value: 1 } as const
    const reached: EntryBody = { type: 'limit.reached', hit }
    const note: EntryBody = { type: 'message.appended', source: 'note', message: userMessage('[Agent stopped]') }
    const before = [started, asked, called(1), said('', 'a'), ended('a'), reached]
    expect(decide(fold(...before), policy)).toEqual({ type: 'note-limit', hit })
    const noted = fold(...before, note)
    expect(decide(noted, policy)).toEqual({ type: 'end', outcome: { status: 'limit', hit } })
    expect(decide(noted, { ...policy, onLimit: 'fail' })).toMatchObject({
      outcome: { status: 'failed', error: { code: 'limit-reached' } },
    })
    expect(decide(noted, { ...policy, onLimit: 'answer' })).toEqual({ type: 'call-model', turn: 2, final: true })
    const answered = fold(...before, note, called(2), said('final'))
    expect(decide(answered, { ...policy, onLimit: 'answer' })).toEqual({
      type: 'end',
      outcome: { status: 'limit', hit },
    })
  })

  it('decide ends a released run that has its answer, and releases one that has not', () => {
    const due = { released: true, hooksTurns: false, openTurn: undefined, compaction: () => false }
    expect(decide(fold(started, asked, called(1), said('done')), policy, due)).toMatchObject({ type: 'end' })
    expect(decide(fold(started, asked), policy, due)).toEqual({ type: 'release', requests: [] })
  })

  it('decide asks for no last answer after the duration limit', () => {
    const hit = { limit: 'duration', max: 1_000, value: 1_000 } as const
    const note: EntryBody = { type: 'message.appended', source: 'note', message: userMessage('[Agent stopped]') }
    const noted = fold(started, asked, called(1), said('', 'a'), ended('a'), { type: 'limit.reached', hit }, note)
    expect(decide(noted, { ...policy, onLimit: 'answer' })).toEqual({ type: 'end', outcome: { status: 'limit', hit } })
  })

  it('decide ends the run as cancelled with the first reason after open calls have results', () => {
    const cancel = (detail: string): EntryBody => ({ type: 'cancel.requested', reason: { kind: 'user', detail } })
    const open = [started, asked, called(1), said('', 'a'), cancel('first'), cancel('second')]
    expect(decide(fold(...open), policy)).toMatchObject({ type: 'run-tools' })
    expect(decide(fold(...open, ended('a')), policy)).toEqual({
      type: 'end',
      outcome: { status: 'cancelled', reason: { kind: 'user', detail: 'first' } },
    })
  })
})

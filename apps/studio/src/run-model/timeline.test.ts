import { expect, test } from 'vitest'
import { entriesOf, fields, USAGE } from '../__fixtures__/entries.ts'
import { toTimeline } from './timeline.ts'

const model = (at: number, durationMs: number, usd?: number) =>
  fields('model.called', at, {
    turn: 1,
    model: 'demo/large',
    usage: USAGE,
    durationMs,
    ...(usd === undefined ? {} : { cost: { usd } }),
  })

test('a model call is a span that ends at its entry and begins as long before as it took', () => {
  const { spans } = toTimeline(entriesOf(fields('run.started', 1000), model(1500, 400)))
  expect(spans).toMatchObject([{ kind: 'model', from: 1100, to: 1500, seq: 2, state: 'ok' }])
})

test('a tool call that waits for its end is open, and closed by the end of the run', () => {
  const started = fields('tool.started', 1000, { callId: 'c', name: 'search', turn: 1 })
  expect(toTimeline(entriesOf(started)).spans).toMatchObject([{ kind: 'tool', state: 'open' }])
  const ended = toTimeline(entriesOf(started, fields('run.ended', 1200)))
  expect(ended.spans).toMatchObject([{ kind: 'tool', from: 1000, to: 1200, state: 'failed' }])
})

test('a refused call that never started has a span without length', () => {
  const error = { code: 'tool-denied', tool: 'rm', reason: 'no' } as const
  const ended = fields('tool.ended', 1000, { callId: 'c', name: 'rm', turn: 1, error })
  expect(toTimeline(entriesOf(ended)).spans).toMatchObject([
    { from: 1000, to: 1000, state: 'failed', note: 'tool-denied' },
  ])
})

test('the time between a suspension and the next worker is a wait', () => {
  const waiting = fields('run.suspended', 1000, {
    approvals: [{ approvalId: 'a', callId: 'c', name: 'refund', input: {}, prompt: 'Pay?' }],
  })
  const { spans } = toTimeline(entriesOf(waiting, fields('run.resumed', 9000, { worker: 'w' })))
  expect(spans).toMatchObject([{ kind: 'wait', label: 'waits for refund', from: 1000, to: 9000 }])
})

test('a run that is resumed without a suspension had no worker since the last entry', () => {
  const { spans } = toTimeline(entriesOf(fields('run.started', 1000), fields('run.resumed', 5000, { worker: 'w' })))
  expect(spans).toMatchObject([{ kind: 'gap', from: 1000, to: 5000, note: 'resumed by w' }])
})

test('a child run is one span from its start to its end, with its usage', () => {
  const started = fields('agent.started', 1000, { callId: 'c', childRunId: 'r', agent: 'researcher' })
  const ended = fields('agent.ended', 3000, {
    callId: 'c',
    childRunId: 'r',
    outcome: { status: 'completed', finish: 'stop' },
    usage: USAGE,
  })
  const { spans } = toTimeline(entriesOf(started, ended))
  expect(spans).toMatchObject([{ kind: 'agent', from: 1000, to: 3000, childRunId: 'r', usage: USAGE, state: 'ok' }])
})

test('a call that starts a child run is one row, that of the child run', () => {
  const { spans } = toTimeline(
    entriesOf(
      fields('tool.started', 1000, { callId: 'c', name: 'ask', turn: 1 }),
      fields('agent.started', 1001, { callId: 'c', childRunId: 'r', agent: 'researcher' }),
      fields('agent.started', 1002, { callId: 'c', childRunId: 's', agent: 'critic' }),
      fields('agent.ended', 3000, {
        callId: 'c',
        childRunId: 'r',
        outcome: { status: 'completed', finish: 'stop' },
        usage: USAGE,
      }),
      fields('tool.ended', 3001, { callId: 'c', name: 'ask', turn: 1 }),
    ),
  )
  expect(spans.map(span => `${span.kind} ${span.label} ${span.state}`)).toEqual([
    'agent researcher ok',
    'agent critic open',
  ])
})

test('a compaction is a mark without length', () => {
  const { spans } = toTimeline(entriesOf(fields('context.compacted', 2000, { policy: 'summarize' })))
  expect(spans).toMatchObject([{ kind: 'mark', label: 'context compacted by summarize', from: 2000, to: 2000 }])
})

test('the cost grows with each model call and with the calls of the context policy', () => {
  const compacted = fields('context.compacted', 2000, { policy: 'summarize', cost: { usd: 0.5 } })
  const { costs } = toTimeline(entriesOf(model(1000, 1, 0.25), compacted, model(3000, 1, 0.25)))
  expect(costs).toEqual([
    { at: 1000, usd: 0.25 },
    { at: 2000, usd: 0.75 },
    { at: 3000, usd: 1 },
  ])
})

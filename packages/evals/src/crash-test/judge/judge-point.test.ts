import { describe, expect, it } from 'vitest'
import type { CallFate, Mark, MarkedCall } from '../process/mark.ts'
import type { Facts } from '../world/facts.ts'
import { judgePoint } from './judge-point.ts'
import { traceEffects, type Trace } from './trace-effects.ts'

const pay: MarkedCall = { id: '/c0', run: '', callId: 'c0', tool: 'pay', agent: 'a', effect: 'idempotent' }
const help: MarkedCall = { id: '/c9', run: '', callId: 'c9', tool: 'help', agent: 'a', effect: 'idempotent' }
const begin = (world: Facts = {}): Mark[] => [
  { type: 'begin', world },
  { type: 'loaded', world },
]
const call = (world: Facts, handler: 'execute' | 'reconcile' = 'execute', of = pay): Mark => ({
  type: 'call',
  handler,
  call: of,
  world,
})
const back = (world?: Facts, handler: 'execute' | 'reconcile' = 'execute', of = pay): Mark => ({
  type: 'return',
  handler,
  call: of,
  world,
})
const end = (world: Facts, ...fates: CallFate[]): Mark[] => [
  { type: 'end', status: 'completed', fates },
  { type: 'settled', world },
]
const fine: CallFate = { id: '/c0', text: 'paid' }
const [none, once, twice] = [{}, { 'paid\tpaid': 1 }, { 'paid\tpaid': 2 }]
const trace = (...processes: readonly (readonly Mark[])[]): Trace => traceEffects(processes, '/folder')
const undisturbed = trace([...begin(), call(none), back(once), ...end(once, fine)])
const clean = [undisturbed, undisturbed] as const

function verdict(...processes: readonly (readonly Mark[])[]) {
  return judgePoint(clean, trace(...processes)).map(({ verdict: found }) => found)
}

describe('judgePoint', () => {
  it('judgePoint calls a call repeated whose second execution changes the world again', () => {
    expect(
      verdict([...begin(), call(none), back()], [...begin(once), call(once), back(twice), ...end(twice, fine)]),
    ).toEqual(['repeated'])
  })

  it('judgePoint calls a call safe whose second execution changes nothing', () => {
    expect(
      verdict([...begin(), call(none), back()], [...begin(once), call(once), back(once), ...end(once, fine)]),
    ).toEqual(['safe'])
  })

  it('judgePoint calls a call lost that the journal reports as a success and that never happened', () => {
    expect(verdict([...begin(), call(none)], [...begin(none), ...end(none, fine)])).toEqual(['lost'])
  })

  it('judgePoint calls a call unknown whether or not it happened, if the journal says so', () => {
    const interrupted: CallFate = { id: '/c0', text: 'unknown', error: 'tool-interrupted' }
    expect(verdict([...begin(), call(none)], [...begin(none), ...end(none, interrupted)])).toEqual(['unknown'])
    expect(verdict([...begin(), call(none), back()], [...begin(once), ...end(once, interrupted)])).toEqual(['unknown'])
    // The handler was never called, although its start is durable.
    expect(verdict([...begin()], [...begin(none), ...end(none, interrupted)])).toEqual(['unknown'])
  })

  it('judgePoint calls a call lost whose repetition fails although its effect is there', () => {
    const failed: CallFate = { id: '/c0', text: 'exists', error: 'tool-failed' }
    expect(
      verdict([...begin(), call(none), back()], [...begin(once), call(once), back(once), ...end(once, failed)]),
    ).toEqual(['lost'])
  })

  it('judgePoint calls a call lost whose only execution gives another result in another process', () => {
    expect(
      verdict([...begin()], [...begin(), call(none), back(once), ...end(once, { ...fine, text: 'paid 0' })]),
    ).toEqual(['lost'])
  })

  it('judgePoint gives no verdict about calls after one that is not safe', () => {
    const two = trace([
      ...begin(),
      call(none),
      back(once),
      call(once, 'execute', help),
      back(twice, 'execute', help),
      ...end(twice, fine),
    ])
    const killed = trace([...begin(), call(none)], [...begin(none), ...end(none, fine)])
    expect(judgePoint([two, two], killed).map(({ call: { tool } }) => tool)).toEqual(['pay'])
  })
})

describe('traceEffects', () => {
  it('traceEffects gives a change to the handler that had returned, if the process died before the next look at the world', () => {
    const inner = { ...pay, id: 'c9#0/c0', run: 'c9#0' }
    const [outer, child] = trace(
      [...begin(), call(none, 'execute', help), call(none, 'execute', inner), back(undefined, 'execute', inner)],
      begin(once),
    ).calls
    expect([outer?.effects, child?.effects]).toEqual([{}, once])
  })

  it('traceEffects calls a change late that comes after the return', () => {
    const [late] = trace([...begin(), call(none), back(none), ...end(once, fine)]).calls
    expect(late).toMatchObject({ effects: once, late: once })
  })

  it('traceEffects ignores what the module changes while it loads, and changes of no handler', () => {
    const loading: Mark[] = [
      { type: 'begin', world: none },
      { type: 'loaded', world: once },
    ]
    const outside: Mark = { type: 'touch', number: 0, what: 'appendFile log', isLate: false, isBlind: false }
    const [found] = trace([...loading, call(once), back(once), outside, ...end(twice, fine)]).calls
    expect(found?.effects).toEqual({})
  })

  it('traceEffects replaces ids of runs, which are new in each repetition', () => {
    const named: Mark = { type: 'run', run: '', runId: '0199-run' }
    const [found] = trace([
      ...begin(),
      named,
      call(none),
      back({ 'keys\t0199-run/c0': 1 }),
      ...end({ 'keys\t0199-run/c0': 1 }),
    ]).calls
    expect(found?.effects).toEqual({ 'keys\t<run >/c0': 1 })
  })
})

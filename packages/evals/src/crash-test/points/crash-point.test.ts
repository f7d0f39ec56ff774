import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Mark } from '../process/mark.ts'
import { formatPoint, parsePoint, type CrashPoint } from './crash-point.ts'
import { planPoints } from './plan-points.ts'

const run = fc.stringMatching(/^(?:[\w#>:-]{1,12})?$/)
const callId = fc.stringMatching(/^[\w:-]{1,12}$/)
const count = fc.integer({ min: 1, max: 999 })
const points: fc.Arbitrary<CrashPoint> = fc.oneof(
  fc.record({ type: fc.constantFrom('before' as const, 'after' as const), run, seq: count }),
  fc.record({ type: fc.constant('change' as const), run, callId, change: count }),
  fc.record({ type: fc.constant('end' as const), run, callId }),
)

describe('parsePoint', () => {
  it('parsePoint reads each point that formatPoint writes', () => {
    fc.assert(
      fc.property(points, point => {
        expect(parsePoint(formatPoint(point))).toEqual(point)
      }),
    )
  })

  it.each(['', 'after', 'after:0', 'after:x', 'change:c0', 'change:0:c0', 'later:3'])(
    'parsePoint rejects %j with a sentence',
    text => {
      expect(() => parsePoint(text)).toThrow(/must be before:ENTRY, after:ENTRY, change:NUMBER:CALL or end:CALL/)
    },
  )
})

describe('planPoints', () => {
  const call = { id: '/c0', run: '', callId: 'c0', tool: 'pay', agent: 'a', effect: 'once' } as const
  const append = (seq: number, type: string): Mark => ({
    type: 'append',
    run: '',
    entries: [{ seq, type, ...(type.startsWith('tool') ? { callId: 'c0', tool: 'pay' } : {}) }],
  })
  const marks: readonly Mark[] = [
    append(1, 'run.started'),
    append(2, 'tool.started'),
    { type: 'call', handler: 'execute', call, world: {} },
    { type: 'touch', call, number: 1, what: 'appendFile a', isLate: false, isBlind: false },
    { type: 'return', handler: 'execute', call, world: {} },
    { type: 'touch', call, number: 2, what: 'appendFile a', isLate: true, isBlind: false },
    append(3, 'tool.ended'),
  ]

  it('planPoints kills around each append, after each change of a handler and after its return', () => {
    const planned = planPoints(marks)
    expect(planned.map(({ point }) => formatPoint(point))).toEqual([
      'before:1',
      'after:1',
      'after:2',
      'change:1:c0',
      'end:c0',
      'before:3',
      'after:3',
    ])
    // Looking at the world takes time, in which a change after the return could become visible.
    expect(planned.filter(({ unseen }) => unseen === '/c0').map(({ point }) => formatPoint(point))).toEqual([
      'end:c0',
      'before:3',
      'after:3',
    ])
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ParleyError } from '../../errors/parley-error.ts'
import { parseEntries } from './parse-entries.ts'

const resumed = (seq: number) => ({ v: 1, seq, at: 3, type: 'run.resumed', worker: 'w' })

function failureOf(text: string, last: number): unknown {
  try {
    return parseEntries(text, { where: 'journal.db, run r', last })
  } catch (error) {
    return ParleyError.is(error) ? error.info : error
  }
}

describe('parseEntries', () => {
  it('reads back what was appended together, wherever in the journal', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.nat({ max: 1_000 }), (count, before) => {
        const entries = Array.from({ length: count }, (_, index) => resumed(before + index + 1))
        expect(parseEntries(JSON.stringify(entries), { where: 'here', last: before + count })).toEqual(entries)
      }),
    )
  })

  it.each([
    ['text that is no JSON', '[', ['entries up to 3', /not JSON/]],
    ['what is no list', '{}', ['entries up to 3', /none/]],
    ['an empty list', '[]', ['entries up to 3', /none/]],
    [
      'an entry of an unknown type',
      JSON.stringify([{ ...resumed(2), type: 'nonsense' }, resumed(3)]),
      ['entry 2', /^type/],
    ],
    ['an entry of another number', JSON.stringify([resumed(2), resumed(4)]), ['entry 3', /number 4/]],
    ['an entry too few', JSON.stringify([resumed(2)]), ['entry 3', /number 2/]],
  ] as const)('refuses %s, and names the place', (_, text, [place, detail]) => {
    expect(failureOf(text, 3)).toEqual({
      code: 'store-corrupt',
      store: `journal.db, run r, ${place}`,
      detail: expect.stringMatching(detail) as unknown,
    })
  })
})

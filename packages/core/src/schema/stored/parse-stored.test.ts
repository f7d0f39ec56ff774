import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ParleyError } from '../../errors/parley-error.ts'
import { arbitraryOf } from '../__fixtures__/arbitrary-of.ts'
import { entrySchema } from '../entry-schema.ts'
import { parseEntries, parseEntry, parseRunCommand } from './parse-stored.ts'

const resumed = (seq: number) => ({ v: 1, seq, at: 3, type: 'run.resumed', worker: 'w' })

function failureOf(parse: () => unknown): unknown {
  try {
    return parse()
  } catch (error) {
    return ParleyError.is(error) ? error.info : error
  }
}

describe('parseEntry', () => {
  it('parseEntry returns every entry that was written', () => {
    fc.assert(
      fc.property(arbitraryOf(entrySchema), entry => {
        expect(parseEntry(JSON.stringify(entry), 'here')).toEqual(entry)
      }),
    )
  })

  it.each([
    ['text that is not JSON', '{"v":1', 'the entry is not JSON'],
    ['a value that is not an object', 'null', /^entry: /],
    ['an unknown type', { ...resumed(2), type: 'run.paused' }, /^type: /],
    ['an unknown version', { ...resumed(2), v: 0 }, /^v: /],
    ['an entry without a number', { ...resumed(2), seq: undefined }, /^seq: /],
    ['the number 0', { ...resumed(2), seq: 0 }, /^seq: /],
    ['an invalid nested field', { ...resumed(2), type: 'run.failed', error: { code: 'nope' } }, /^error\.code: /],
  ])('parseEntry rejects %s with store-corrupt and its place', (_, value, detail) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    expect(failureOf(() => parseEntry(text, 'journal.db, run r, entry 2'))).toEqual({
      code: 'store-corrupt',
      store: 'journal.db, run r, entry 2',
      detail: typeof detail === 'string' ? detail : expect.stringMatching(detail),
    })
  })

  it('parseEntry reads the names that quotas had in earlier versions', () => {
    const error = { code: 'quota-exceeded', quota: 'maxTotalRuns', owner: 'runtime', max: 1, value: 2 }
    const entry = { v: 1, seq: 2, at: 3, type: 'run.failed', error }
    expect(parseEntry(JSON.stringify(entry), 'here')).toEqual({ ...entry, error: { ...error, quota: 'maxRuns' } })
  })

  it('parseEntry rejects an entry of a newer release with store-newer and its place', () => {
    expect(failureOf(() => parseEntry(JSON.stringify({ ...resumed(2), v: 2 }), 'journal.db, run r, entry 2'))).toEqual({
      code: 'store-newer',
      store: 'journal.db, run r, entry 2',
      found: '2',
      known: '1',
    })
  })

  it('parseEntry keeps the SyntaxError of text that is not JSON as the cause', () => {
    expect(() => parseEntry('{', 'here')).toThrow(
      expect.objectContaining({ cause: expect.any(SyntaxError) as unknown }) as Error,
    )
  })
})

describe('parseEntries', () => {
  it('parseEntries returns the entries of one append at any position of the journal', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.nat({ max: 1_000 }), (count, before) => {
        const entries = Array.from({ length: count }, (_, index) => resumed(before + index + 1))
        expect(parseEntries(JSON.stringify(entries), { where: 'here', last: before + count })).toEqual(entries)
      }),
    )
  })

  it.each([
    ['text that is not JSON', '[', ['entries up to 3', /not JSON/]],
    ['a value that is not an array', '{}', ['entries up to 3', /must be a non-empty array/]],
    ['an empty array', '[]', ['entries up to 3', /must be a non-empty array/]],
    [
      'an entry of an unknown type',
      JSON.stringify([{ ...resumed(2), type: 'nonsense' }, resumed(3)]),
      ['entry 2', /^type/],
    ],
    [
      'an entry with a number that does not match its position',
      JSON.stringify([resumed(2), resumed(4)]),
      ['entry 3', /number 4/],
    ],
    ['a missing entry', JSON.stringify([resumed(2)]), ['entry 3', /number 2/]],
  ] as const)('parseEntries rejects %s with store-corrupt and its place', (_, text, [place, detail]) => {
    expect(failureOf(() => parseEntries(text, { where: 'journal.db, run r', last: 3 }))).toEqual({
      code: 'store-corrupt',
      store: `journal.db, run r, ${place}`,
      detail: expect.stringMatching(detail) as unknown,
    })
  })
})

describe('parseRunCommand', () => {
  it('parseRunCommand returns the command that was written', () => {
    const command = { type: 'decide', approvalId: 'a', decision: { type: 'rejected', reason: 'no' } }
    expect(parseRunCommand(JSON.stringify(command), 'store')).toEqual(command)
  })

  it('parseRunCommand names the place and the fault of a damaged command', () => {
    expect(() => parseRunCommand('{', 'db, run r, item 1')).toThrow(
      'db, run r, item 1 is damaged: the command is not JSON',
    )
    expect(() => parseRunCommand('{"type":"dance"}', 'db')).toThrow('type')
    expect(() => parseRunCommand('{"type":"cancel","reason":{"kind":"odd"}}', 'db')).toThrow('reason.kind')
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ParleyError } from '../../errors/parley-error.ts'
import { arbitraryOf } from '../__fixtures__/arbitrary-of.ts'
import { entrySchema } from '../entry.ts'
import { parseEntry } from './parse-entry.ts'

const resumed = { v: 1, seq: 2, at: 3, type: 'run.resumed', worker: 'w' }

function failureOf(value: unknown): unknown {
  try {
    return parseEntry(typeof value === 'string' ? value : JSON.stringify(value), 'journal.db, run r, entry 2')
  } catch (error) {
    return ParleyError.is(error) ? error.info : error
  }
}

describe('parseEntry', () => {
  it('reads back every entry', () => {
    fc.assert(
      fc.property(arbitraryOf(entrySchema), entry => {
        expect(parseEntry(JSON.stringify(entry), 'here')).toEqual(entry)
      }),
    )
  })

  it.each([
    ['text that is no JSON', '{"v":1', 'the entry is not JSON'],
    ['a value that is no object', 'null', /^entry: /],
    ['a type it does not know', { ...resumed, type: 'run.paused' }, /^type: /],
    ['a version it does not know', { ...resumed, v: 2 }, /^v: /],
    ['an entry without a number', { ...resumed, seq: undefined }, /^seq: /],
    ['the number 0', { ...resumed, seq: 0 }, /^seq: /],
    ['a wrong field, however deep', { ...resumed, type: 'run.failed', error: { code: 'nope' } }, /^error\.code: /],
  ])('refuses %s, and names the place', (_, value, detail) => {
    expect(failureOf(value)).toEqual({
      code: 'store-corrupt',
      store: 'journal.db, run r, entry 2',
      detail: typeof detail === 'string' ? detail : expect.stringMatching(detail),
    })
  })

  it('keeps the cause of text that is no JSON', () => {
    expect(() => parseEntry('{', 'here')).toThrow(
      expect.objectContaining({ cause: expect.any(SyntaxError) as unknown }) as Error,
    )
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generatePositives } from './__fixtures__/generated-lines.ts'
import { handWrittenLines, labelledLines, type LabelledLine } from './__fixtures__/labelled-lines.ts'
import { generateLookAlikes } from './__fixtures__/look-alikes.ts'
import { findPii, PII_KINDS } from '@parley/core/masking'

const keyOf = ({ kind, start, end }: { kind: string; start: number; end: number }) => `${kind} ${start} ${end}`

/** A line is missed if a label is not found with its exact kind, start and end. */
function missedIn(lines: readonly LabelledLine[]) {
  return lines.filter(({ text, spans }) => {
    const found = new Set(findPii(text).map(keyOf))
    return spans.some(span => !found.has(keyOf(span)))
  })
}

function shown(lines: readonly LabelledLine[]) {
  return lines.map(({ text }) => `${JSON.stringify(text)} → ${JSON.stringify(findPii(text))}`)
}

describe('findPii', () => {
  const written = [...labelledLines(), ...handWrittenLines()]

  it('findPii misses at most 1 % of the lines with personal data in any context', ({ annotate }) => {
    const lines = [...written.filter(({ spans }) => spans.length > 0), ...generatePositives(1), ...generatePositives(2)]
    const missed = missedIn(lines)
    void annotate(`${lines.length} lines, ${missed.length} missed\n${shown(missed).join('\n')}`)
    expect(lines.length).toBeGreaterThanOrEqual(1_000)
    expect(missed.length / lines.length).toBeLessThanOrEqual(0.01)
  })

  it('findPii flags at most 1 % of the lines without personal data', ({ annotate }) => {
    const lines = [
      ...written.filter(({ spans }) => spans.length === 0),
      ...generateLookAlikes(1),
      ...generateLookAlikes(2),
    ]
    const flagged = lines.filter(({ text }) => findPii(text).length > 0)
    void annotate(`${lines.length} lines, ${flagged.length} flagged\n${shown(flagged).join('\n')}`)
    expect(lines.length).toBeGreaterThanOrEqual(300)
    expect(flagged.length / lines.length).toBeLessThanOrEqual(0.01)
  })

  it('findPii finds nothing beside the labels in lines with personal data', () => {
    const lines = [...written.filter(({ spans }) => spans.length > 0), ...generatePositives(3)]
    const extra = lines.filter(({ text, spans }) => findPii(text).length > spans.length)
    expect(extra.length / lines.length).toBeLessThanOrEqual(0.01)
  })

  it('findPii returns ordered spans that never overlap, for any text', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '4242 4242 4242 4242',
        'ann@example.org',
        '+49 30 1234567',
        '10.1.2.3',
        'DE89370400440532013000',
        ' ',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), pieces => {
        const text = pieces.join('')
        let end = 0
        for (const span of findPii(text)) {
          expect(span.start).toBeGreaterThanOrEqual(end)
          expect(span.end).toBeGreaterThan(span.start)
          expect(span.end).toBeLessThanOrEqual(text.length)
          end = span.end
        }
      }),
    )
  })

  it('findPii joins overlapping spans under the most certain kind', () => {
    // After the word `call`, the first ten digits of this card number look like a phone number.
    expect(findPii('call 4242424242424242')).toEqual([{ kind: 'card', start: 5, end: 21 }])
  })

  it('findPii finds only the given kinds', () => {
    const text = 'ann@example.org 10.1.2.3'
    expect(findPii(text, ['ip']).map(span => span.kind)).toEqual(['ip'])
    expect(findPii(text, []).length).toBe(0)
    expect(PII_KINDS).toHaveLength(6)
  })

  it.each([
    '1',
    '+1',
    '+1 ',
    '0 ',
    '1.',
    '1:',
    'a:',
    'a@',
    'A1',
    '(1) ',
    'call ',
    '4242 ',
    'DE89 ',
    '@a.',
    'a@b.co',
    '%25',
    '%e4',
    '\\u',
    '&#1;',
    '[at]',
    '\u200B',
    '4\u200B',
    '1\n',
    '(1',
    '1)',
    '0049 ',
    'phone 1234567 ',
    'phone<a ',
    'phone values (1234567,',
    '1.1.1.1 ',
    'version 1.2.3.4, ',
    '::',
    '1:1:1:1:1:1:1:1:',
    '电话1',
    '４２',
    '٣',
    'https://a',
    '123-45-6789-',
    'GB29 NWBK ',
    '415-555-2671/',
  ])('findPii finishes on a long text of %j', piece => {
    // A regular expression with unbounded backtracking would take hours here.
    expect(findPii(piece.repeat(100_000 / piece.length))).toBeDefined()
  })
})

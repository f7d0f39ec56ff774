import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePattern } from './compile-pattern.ts'
import { MOST_STEPS, OutOfSteps } from './work.ts'

function matches(pattern: string, text: string): boolean {
  return compilePattern(pattern)(text, { steps: MOST_STEPS })
}

const atom = fc.constantFrom(
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '\\w',
  '\\d',
  '\\s',
  '^',
  '$',
  '\\b',
  '\\B',
  'é',
  '😀',
  '\\u{1F600}',
  '\\/',
)
const { pattern } = fc.letrec<{ pattern: string }>(tie => ({
  pattern: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    atom,
    fc.tuple(tie('pattern'), tie('pattern')).map(parts => parts.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{0,2}', '{2,}', '*?'))
      .map(([part, sign]) => `(?:${part})${sign}`),
    fc.tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), tie('pattern')).map(([open, part]) => `${open}${part})`),
  ),
}))
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', ' ', '\n', '-', 'é', '😀'), maxLength: 7 })

describe('compilePattern', () => {
  it('compilePattern matches the same texts as the platform', () => {
    fc.assert(
      fc.property(pattern, text, (given, input) => {
        // V8 also looks behind positions inside a surrogate pair.
        fc.pre(!given.includes('(?<') || !input.includes('😀'))
        // Patterns that are invalid in JavaScript before ES2025 are always matched by the automaton.
        const linear = compilePattern(`(?P<all>${given})`)
        expect(linear(input, { steps: MOST_STEPS })).toBe(new RegExp(`(?:${given})`, 'u').test(input))
        expect(matches(given, input)).toBe(new RegExp(given, 'u').test(input))
      }),
      { numRuns: 5_000 },
    )
  })

  it.each([
    ['(?i)abc', 'xABCx', true],
    ['(?i)[^k]', '\u212A', false],
    ['a(?i)b', 'aB', true],
    ['a(?i:b)c', 'aBC', false],
    ['(?s).', '\n', true],
    ['(?m)^b$', 'a\nb\nc', true],
    ['(?P<year>\\d{4})', '2026', true],
    ['\\Aab\\Z', 'ab', true],
    ['^\\_a\\"\\-\\ $', '_a"- ', true],
    ['^[\\_\\w-]+$', 'a_-', true],
    ['^{.*}$', '{x}', true],
    ['^[\\d-x]+$', '1-x', true],
    ['^\\p{Lu}+$', 'ÀÉ', true],
    ['^\\uD83D\\uDE00$', '😀', true],
    ['[]', 'a', false],
    ['[^]', '\n', true],
    ['', 'a', true],
  ])('compilePattern reads %s as the dialects that write it do', (given, input, expected) => {
    expect(matches(given, input)).toBe(expected)
  })

  it.each([
    ['(', "has a '(' without ')'"],
    [')', "has a ')' without '('"],
    ['[a', "has a '[' without ']'"],
    ['*', "has a '*' that repeats nothing"],
    ['a**', 'repeats a repetition'],
    ['a{3,2}', 'out of order'],
    ['[b-a]', 'out of order'],
    ['(a)\\1', 'back reference'],
    ['(?>a)', 'unsupported group'],
    ['[[:alpha:]]', 'POSIX class'],
    ['\\q', 'unknown escape \\q'],
    ['\\p{Nothing}', 'invalid character class'],
    ['(a{1000}){1000}', 'repeats too much'],
  ])('compilePattern rejects %s', (given, message) => {
    expect(() => compilePattern(given)).toThrow(message)
  })

  it('compilePattern rejects patterns that are too long or nested too deeply', () => {
    expect(() => compilePattern('('.repeat(1_000) + ')'.repeat(1_000))).toThrow('deep')
    expect(() => compilePattern('a'.repeat(30_000))).toThrow('longer than')
  })

  it.each([
    ['^(a+)+$', `${'a'.repeat(100_000)}!`],
    ['^(a|a)*$', `${'a'.repeat(100_000)}!`],
    ['^(\\w+\\s?)*$', `${'word '.repeat(20_000)}!`],
    ['(.*)(.*)(.*)(.*)x', 'a'.repeat(100_000)],
    ['^(?=.*a)(?=.*b)(?!.*c).*d$', 'ab'.repeat(50_000)],
    ['a*a*a*a*a*a*b', 'a'.repeat(100_000)],
    ['^[a]{5000}b', 'a'.repeat(5_000)],
  ])('compilePattern decides %s on a long text in a bounded number of steps', (given, input) => {
    expect(matches(given, input)).toBe(false)
  })

  it('compilePattern gives up if a pattern and a text need too many steps', () => {
    // Every one of the last 20 characters doubles the number of states.
    const pattern = `(a|b)*a(a|b){2000}c`
    const input = Array.from({ length: 20_000 }, (_, index) => ((index * index) % 7 < 3 ? 'a' : 'b')).join('')
    expect(() => matches(pattern, input)).toThrow(OutOfSteps)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePattern, type PatternOptions } from './compile-pattern.ts'

function matches(text: string, line: string, options: Partial<PatternOptions> = {}): boolean | string {
  const compiled = compilePattern(text, { literal: false, ignoreCase: false, ...options })
  return typeof compiled === 'string' ? compiled : new RegExp(compiled.pattern, compiled.flags).test(line)
}

describe('compilePattern', () => {
  it('compilePattern with literal matches the text exactly', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), text => {
        fc.pre(!/[\r\n]/.test(text))
        expect(matches(text, `before ${text} after`, { literal: true })).toBe(true)
      }),
    )
    expect(matches('a.c', 'abc', { literal: true })).toBe(false)
    expect(matches('A.C', 'a.c', { literal: true, ignoreCase: true })).toBe(true)
  })

  it.each([
    ['\\p{Lu}', 'aÄb', true],
    ['\\p{Lu}', 'p{lu}', false],
    ['^.$', '😀', true],
    ['a\\-b\\"', 'a-b"', true],
    ['foo{', 'foo{', true],
    ['(?i)ABC', 'abc', true],
    ['(?<word>b+)c', 'abbc', true],
    ['\\\\A', '\\A', true],
  ])('compilePattern accepts %s', (text, line, expected) => {
    expect(matches(text, line)).toBe(expected)
  })

  it.each([
    ['\\Afoo', "'\\A' means nothing"],
    ['foo\\Z', "'\\Z' means nothing"],
    ['\\hfoo', "'\\h' means nothing"],
    ['(?P<word>a)', 'Invalid group'],
    ['(?>a)', 'Invalid group'],
    ['a++', 'Nothing to repeat'],
    ['[a', 'Unterminated character class'],
    ['\\p{Nonsense}', 'Invalid property name'],
    ['[[:digit:]]', 'POSIX'],
  ])('compilePattern rejects %s, which JavaScript reads differently from other dialects', (text, words) => {
    expect(matches(text, '')).toContain(words)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLineSearch } from './line-search.ts'

function search(lines: readonly string[], expression: RegExp, contextLines = 0): string[] {
  const output: string[] = []
  const { push } = createLineSearch({ expression, shown: 'f', contextLines, emit: line => output.push(line) })
  for (const line of lines) push(line, true)
  return output
}

describe('createLineSearch', () => {
  it('createLineSearch matches anywhere in a line', () => {
    expect(search(['abc', 'xyz', 'bcd'], /c/)).toEqual(['f:1:abc', 'f:3:bcd'])
  })

  it('createLineSearch shows each line of context once and separates groups', () => {
    const lines = ['1', '2', 'x', '4', '5', '6', '7', 'x', 'x', '10']
    expect(search(lines, /x/, 1)).toEqual(['f-2-2', 'f:3:x', 'f-4-4', '--', 'f-7-7', 'f:8:x', 'f:9:x', 'f-10-10'])
    expect(search(lines, /x/, 2).join(' ')).toBe('f-1-1 f-2-2 f:3:x f-4-4 f-5-5 f-6-6 f-7-7 f:8:x f:9:x f-10-10')
  })

  it('createLineSearch shows exactly the matches and their context, in order', () => {
    const line = fc.constantFrom('x', 'o')
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.integer({ min: 0, max: 4 }), (lines, context) => {
        const shown = search(lines, /x/, context).filter(text => text !== '--')
        const wanted = lines.flatMap((text, at) => {
          if (text === 'x') return [`f:${at + 1}:x`]
          const near = lines.slice(Math.max(0, at - context), at + context + 1).includes('x')
          return near ? [`f-${at + 1}-o`] : []
        })
        expect(shown).toEqual(wanted)
      }),
    )
  })

  it('createLineSearch shows the part of a long line around the match', () => {
    const [shown = ''] = search([`${'a'.repeat(5_000)}NEEDLE${'b'.repeat(5_000)}`], /NEEDLE/)
    expect(shown).toMatch(/^f:1:…a+NEEDLEb+…$/)
    expect(shown.length).toBeLessThan(420)
  })

  it('createLineSearch searches only the first 10,000 characters of a line', () => {
    expect(search([`${'a'.repeat(10_000)}NEEDLE`], /NEEDLE/)).toEqual([])
  })
})

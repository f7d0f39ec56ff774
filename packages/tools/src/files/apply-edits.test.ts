import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyEdits, type Edit } from './apply-edits.ts'

const edit = (oldText: string, newText: string, replaceAll = false): Edit => ({ oldText, newText, replaceAll })

function textOf(text: string, ...edits: Edit[]): string {
  const result = applyEdits(text, edits)
  if (!result.ok) throw new Error(result.reason)
  return result.text
}

function reasonOf(text: string, ...edits: Edit[]): string {
  const result = applyEdits(text, edits)
  return result.ok ? 'was applied' : result.reason
}

describe('applyEdits', () => {
  it('applyEdits replaces the only occurrence with any text literally', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'binary' }), fc.string(), (before, newText, after) => {
        fc.pre(!(before + after).includes('§') && newText !== '§')
        expect(textOf(`${before}§${after}`, edit('§', newText))).toBe(before + newText + after)
      }),
    )
  })

  it.each(['$&', '$1', "$'", '$`', '$$', '\\1', '\\n', '\\', '$<x>', '{{x}}'])(
    'applyEdits takes %s literally',
    newText => {
      expect(textOf('a b c', edit('b', newText))).toBe(`a ${newText} c`)
      expect(textOf('b b', edit('b', newText, true))).toBe(`${newText} ${newText}`)
      expect(textOf(`x ${newText} y`, edit(newText, 'z'))).toBe('x z y')
    },
  )

  it('applyEdits applies edits in order, or none of them if one fails', () => {
    expect(textOf('a b', edit('a', 'b2'), edit('b2 b', 'c'))).toBe('c')
    expect(reasonOf('a b', edit('a', 'x'), edit('zz', 'y'))).toMatch(/^Edit 2 of 2: .*None of them was applied\.$/s)
    expect(textOf('a', edit('a', ''))).toBe('')
  })

  it('applyEdits replaces every occurrence if replaceAll is true', () => {
    expect(applyEdits('x\na a\na', [edit('a', 'aa', true)])).toEqual({
      ok: true,
      text: 'x\naa aa\naa',
      replacements: [{ count: 3, line: 2 }],
    })
  })

  it('applyEdits names the lines of a text that occurs more than once, overlaps included', () => {
    expect(reasonOf('a\nb\na', edit('a', 'c'))).toContain('2 times (lines 1, 3)')
    expect(reasonOf('aaa', edit('aa', 'c'))).toContain('2 times')
    expect(reasonOf('a'.repeat(5_000), edit('a', 'c'))).toContain('more than 10 times')
  })

  it('applyEdits rejects an empty oldText and an edit that changes nothing', () => {
    expect(reasonOf('a', edit('', 'b'))).toContain('use write')
    expect(reasonOf('a', edit('a', 'a'))).toContain('the same')
  })

  describe('in a file with Windows line ends', () => {
    it('applyEdits matches and writes Windows line ends in a file that has them', () => {
      expect(textOf('a\r\nb\r\nc\r\n', edit('a\nb', 'x\ny\nz'))).toBe('x\r\ny\r\nz\r\nc\r\n')
      expect(textOf('a\r\nb\r\n', edit('b', 'x\ny'))).toBe('a\r\nx\r\ny\r\n')
      expect(textOf('a\r\nb\r\n', edit('a\r\nb', 'x\r\ny'))).toBe('x\r\ny\r\n')
    })

    it('applyEdits keeps mixed line ends as they are', () => {
      expect(textOf('a\r\nb\nc\n', edit('b\nc', 'x\ny'))).toBe('a\r\nx\ny\n')
      expect(textOf('a\r\nb\nc\n', edit('a\nb', 'x\ny'))).toBe('x\r\ny\nc\n')
    })
  })

  describe('a text that does not occur', () => {
    const file = 'function a() {\n\treturn "x"\n}\n'
    it.each([
      ['     1\tfunction a() {', 'line numbers'],
      ['function a() {\n  return "x"\n}', 'lines 1 to 3 differ from it only in white space'],
      ['  return “x”', 'lines 2 to 2 differ from it only in quotation marks'],
      ['FUNCTION A() {', 'only in case'],
      ['function a() {\n  something else', 'first line is like line 1'],
      ['nothing of it', 'Read the file again'],
    ])('applyEdits explains why %j does not occur', (oldText, words) => {
      expect(reasonOf(file, edit(oldText, 'new'))).toContain(words)
    })
  })

  it.each([
    ['a'.repeat(2_000_000), `b${'a'.repeat(50_000)}`],
    ['a'.repeat(2_000_000), `${'a'.repeat(50_000)}b`],
    ['a\n'.repeat(500_000), `${'a\n'.repeat(20_000)}b`],
    [' '.repeat(2_000_000), `x${' '.repeat(50_000)}`],
  ])('applyEdits finishes in reasonable time on large repetitive texts (case %#)', (text, oldText) => {
    expect(reasonOf(text, edit(oldText, 'new'))).toContain('does not occur')
  })
})

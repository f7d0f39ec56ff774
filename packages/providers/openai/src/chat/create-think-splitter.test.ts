import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createThinkSplitter } from './create-think-splitter.ts'

const split = (...chunks: string[]) => splitBy(false, chunks)

function splitBy(implied: boolean, chunks: readonly string[]): { readonly text: string; readonly reasoning: string } {
  const out = { text: '', reasoning: '' }
  const splitter = createThinkSplitter({
    onText: text => void (out.text += text),
    onReasoning: text => void (out.reasoning += text),
    implied,
  })
  for (const chunk of chunks) splitter.feed(chunk)
  splitter.end()
  return out
}

describe('createThinkSplitter', () => {
  it.each([
    ['<think>why</think>\n\nBecause.', { text: 'Because.', reasoning: 'why' }],
    ['\n <think>why</think>ok', { text: 'ok', reasoning: 'why' }],
    ['<think></think>ok', { text: 'ok', reasoning: '' }],
    ['<think>cut off', { text: '', reasoning: 'cut off' }],
    ['<think>a < b </thin</think>ok', { text: 'ok', reasoning: 'a < b </thin' }],
    ['no <think>tag</think>', { text: 'no <think>tag</think>', reasoning: '' }],
    ['  plain', { text: '  plain', reasoning: '' }],
    ['<thin', { text: '<thin', reasoning: '' }],
    ['<think>a</think>b</think><think>c', { text: 'b</think><think>c', reasoning: 'a' }],
  ])('the think splitter splits %j for any chunks', (whole, expected) => {
    expect(split(whole)).toEqual(expected)
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length), { maxLength: 6 }), cuts => {
        const points = [0, ...cuts.sort((a, b) => a - b), whole.length]
        expect(split(...points.slice(1).map((end, index) => whole.slice(points[index], end)))).toEqual(expected)
      }),
    )
  })

  it('the think splitter does not hold back text that cannot be a tag', () => {
    const seen: string[] = []
    const splitter = createThinkSplitter({
      onText: text => seen.push(text),
      onReasoning: text => seen.push(`(${text})`),
    })
    for (const chunk of ['Hello', ' <', 'b']) splitter.feed(chunk)
    expect(seen).toEqual(['Hello', ' <', 'b'])
  })

  it.each([
    ['why</think>\n\nBecause.', { text: 'Because.', reasoning: 'why' }],
    ['<think>why</think>ok', { text: 'ok', reasoning: 'why' }],
    ['never closed', { text: '', reasoning: 'never closed' }],
  ])('the think splitter assumes an opening tag if it may be missing: %j', (whole, expected) => {
    expect(splitBy(true, [whole])).toEqual(expected)
    expect(splitBy(true, whole.split(''))).toEqual(expected)
  })
})

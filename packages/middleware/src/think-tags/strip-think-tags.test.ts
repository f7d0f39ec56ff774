import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventsOf, setup, shown } from '../__fixtures__/set-up-agent.ts'
import { stripThinkTags, type StripThinkTagsOptions } from './strip-think-tags.ts'
import { ThinkSplitter } from './think-splitter.ts'

async function answer(text: string, options: StripThinkTagsOptions = {}) {
  const { run } = setup([{ text, chunkSize: 3 }], [stripThinkTags(options)])
  const running = run()
  const events = await eventsOf(running)
  const result = await running.orThrow()
  expect(result.text).toBe(shown(events))
  return [result.text, shown(events, 'reasoning.delta')]
}

describe('stripThinkTags', () => {
  it.each([
    ['<think>hm</think>\n\nYes.', 'Yes.', 'hm'],
    ['\n<THINK>hm</think>Yes.', 'Yes.', 'hm'],
    ['<think>a</think>One. <thinking>b</thinking>Two.', 'One. Two.', 'ab'],
    ['<think>a</think>Keep <b>this</b>.<think>b</think>', 'Keep <b>this</b>.', 'ab'],
    ['<think>a <thinking> b</think>Yes.', 'Yes.', 'a <thinking> b'],
    ['<think>cut off', '', 'cut off'],
    ['Write <think> to begin.', 'Write <think> to begin.', ''],
    ['a < b and <thin', 'a < b and <thin', ''],
    ['Nothing here.', 'Nothing here.', ''],
    ['Two\n\nlines ', 'Two\n\nlines ', ''],
  ])('stripThinkTags splits %j into the text %j and the thought %j', async (text, said, thought) => {
    expect(await answer(text)).toEqual([said, thought])
  })

  it('stripThinkTags supports the options as, tags and opened', async () => {
    expect(await answer('<think>hm</think>Yes.', { as: 'nothing' })).toEqual(['Yes.', ''])
    expect(await answer('<plan>hm</plan>Yes.', { tags: ['plan'] })).toEqual(['Yes.', 'hm'])
    expect(await answer('hm</think>Yes.', { opened: true })).toEqual(['Yes.', 'hm'])
  })

  it('ThinkSplitter releases text as soon as it cannot be a tag', async () => {
    const splitter = new ThinkSplitter(['think'], false)
    expect(splitter.add('Hello <')).toEqual([{ kind: 'text', text: 'Hello ' }])
    expect(splitter.add('b')).toEqual([{ kind: 'text', text: '<b' }])
  })

  it('ThinkSplitter gives the same result for every division of the stream', () => {
    const part = fc.constantFrom(
      '<think>',
      '</think>',
      '<thinking>',
      '</thinking>',
      '<',
      '</',
      'think>',
      'word ',
      '\n',
      'é',
    )
    const text = fc.array(part, { maxLength: 12 }).map(parts => parts.join(''))
    fc.assert(
      fc.property(text, fc.array(fc.nat(6), { minLength: 1, maxLength: 20 }), (whole, sizes) => {
        const read = (pieces: readonly string[]) => {
          const splitter = new ThinkSplitter(['think', 'thinking'], false)
          const all = [...pieces.flatMap(piece => splitter.add(piece)), ...splitter.end()]
          const of = (kind: string) => all.map(each => (each.kind === kind ? each.text : '')).join('')
          return [of('text'), of('thought')]
        }
        const pieces: string[] = []
        for (let at = 0, step = 0; at < whole.length; step++) {
          const size = 1 + (sizes[step % sizes.length] ?? 0)
          pieces.push(whole.slice(at, at + size))
          at += size
        }
        expect(read(pieces)).toEqual(read([whole]))
      }),
      { numRuns: 500 },
    )
  })
})

import { GrowingText } from '@parley/core'
import { expect, it } from 'vitest'
import { AnswerTexts } from './answer-texts.ts'

it('the readers of every parent run find the answer of a run until the run has ended', () => {
  const root = new AnswerTexts(undefined)
  const middle = new AnswerTexts(root)
  const leaf = new AnswerTexts(middle)
  const [ofLeaf, ofMiddle] = [new GrowingText(), new GrowingText()]
  leaf.set('leaf', ofLeaf)
  middle.set('middle', ofMiddle)
  expect([leaf, middle, root].map(texts => texts.get('leaf'))).toEqual([ofLeaf, ofLeaf, ofLeaf])
  leaf.clear()
  expect([leaf, middle, root].map(texts => texts.get('leaf'))).toEqual([undefined, undefined, undefined])
  expect([leaf, middle, root].map(texts => texts.get('middle'))).toEqual([undefined, ofMiddle, ofMiddle])
  middle.clear()
  expect(root.get('middle')).toBeUndefined()
})

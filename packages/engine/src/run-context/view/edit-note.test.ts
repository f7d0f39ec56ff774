import { userMessage, type ContextEdit, type MessageGroup } from '@parley/core'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { editNote, withoutFaded } from './edit-note.ts'

type Category = Extract<ContextEdit, { type: 'revert' }>['category']

const note = (category: Category, text = 'x'): MessageGroup => {
  const made = editNote({ type: 'revert', step: 1, category, summary: text })
  if (made === undefined) throw new Error('expected a note')
  return made
}
const step = (): MessageGroup => ({ messages: [{ role: 'assistant', model: 'm', content: [] }] })
const times = (count: number, make: () => MessageGroup): MessageGroup[] => Array.from({ length: count }, make)

it('the three newest notes of a fading label stay, and older ones stay for five steps', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(text => note('failure', text)) as [
    MessageGroup,
    MessageGroup,
    MessageGroup,
    MessageGroup,
  ]
  const fresh = [a, b, c, d, ...times(5, step)]
  expect(withoutFaded(fresh, () => true)).toEqual(fresh)
  const old = [a, b, c, d, ...times(6, step)]
  expect(withoutFaded(old, () => true)).toEqual(old.slice(1))
})

it('for any groups, only old notes of a fading label that are not among the newest are removed', () => {
  const kinds = fc.constantFrom('failure', 'tangent', 'completion', 'step-summary', 'step', 'question')
  fc.assert(
    fc.property(fc.array(kinds, { maxLength: 40 }), list => {
      const groups = list.map(kind => {
        if (kind === 'step') return step()
        return kind === 'question' ? { messages: [userMessage('?')] } : note(kind)
      })
      const kept = list.filter((kind, index) => {
        if (kind !== 'failure' && kind !== 'tangent') return true
        const later = list.slice(index + 1)
        return later.filter(each => each === kind).length < 3 || later.filter(each => each === 'step').length <= 5
      })
      const left = withoutFaded(groups, () => true)
      expect(left.map(group => list[groups.indexOf(group)])).toEqual(kept)
    }),
  )
})

it('a message of the transcript that looks like a note stays', () => {
  const groups = [...times(4, () => note('failure')), ...times(6, step)]
  expect(withoutFaded(groups, () => false)).toEqual(groups)
})

it('an edit without a text leaves no note', () => {
  expect(editNote({ type: 'trim', tokens: 1 })).toBeUndefined()
  expect(editNote({ type: 'trim', tokens: 1, memo: '  ' })).toBeUndefined()
})

import { expect, it } from 'vitest'
import type { ContextView, MessageGroup } from '../hooks/context-view.ts'
import { userMessage } from '../model/message-text.ts'
import type { Message } from '../schema/message.ts'
import { dropOldest } from './drop-oldest.ts'
import { droppingPolicy } from './dropping-policy.ts'
import { editNoteMessage } from './edit-note.ts'

const answer = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] })
const call = (callId: string): readonly Message[] => [
  { role: 'assistant', content: [{ type: 'tool-call', callId, name: 't', arguments: '{}' }] },
  { role: 'tool', callId, name: 't', content: [] },
]

/** A view of these groups that counts ten tokens a message. */
function viewOver(groups: readonly MessageGroup[], budget?: number): ContextView {
  const length = groups.flatMap(({ messages }) => messages).length
  const tokens = (): number => length * 10
  return {
    length,
    groups,
    log: groups,
    fixedTokens: 0,
    window: budget,
    budget,
    tokens,
    exceeds: limit => tokens() > limit,
    count: messages => messages.length * 10,
  }
}

const group = (...messages: readonly Message[]): MessageGroup => ({ messages })
const talk = [userMessage('one'), answer('1'), userMessage('two'), answer('2'), userMessage('three')].map(one =>
  group(one),
)
const rule = group({ role: 'system', content: 'Be brief.' })
const options = { maxMessages: Infinity, maxTokens: Infinity, minMessages: 0, keepSystem: true }

it('dropOldest returns undefined when every group fits', () => {
  expect(dropOldest(viewOver(talk), { ...options, maxMessages: 5, maxTokens: 50 })).toBeUndefined()
})

it('dropOldest keeps the newest groups that fit, and system messages', () => {
  expect(dropOldest(viewOver([rule, ...talk]), { ...options, maxMessages: 4 })).toEqual([rule, ...talk.slice(2)])
  expect(dropOldest(viewOver([rule, ...talk]), { ...options, maxTokens: 30, keepSystem: false })).toEqual(talk.slice(2))
})

it('dropOldest keeps a request in front of the work that remains, and never takes an edit note for a request', () => {
  const note = group(editNoteMessage('Memo', 'Nothing found.'))
  const work = [group(userMessage('task')), note, group(...call('a')), group(...call('b')), group(...call('c'))]
  const left = dropOldest(viewOver(work), { ...options, maxMessages: 5 })
  expect(left).toEqual([work[0], work[3], work[4]])
})

it('dropOldest keeps unread tool results and minMessages messages beyond the bounds', () => {
  const work = [...talk, group(...call('a'))]
  expect(dropOldest(viewOver(work), { ...options, maxTokens: 1 })).toEqual(work.slice(4))
  expect(dropOldest(viewOver(talk), { ...options, maxTokens: 1, minMessages: 3 })).toEqual(talk.slice(2))
})

it('droppingPolicy compacts to three quarters of a bound when the bound is exceeded', async () => {
  const policy = droppingPolicy('mine', { maxMessages: 4 })
  expect(policy.name).toBe('mine')
  expect(policy.due(viewOver(talk.slice(1)))).toBe(false)
  expect(policy.due(viewOver(talk))).toBe(true)
  const request = { ...viewOver(talk), trigger: 'due' } as Parameters<typeof policy.compact>[0]
  expect(await policy.compact(request)).toEqual({ view: talk.slice(2) })
})

it('droppingPolicy obeys the budget of the view and asks beforeCompaction', () => {
  const asked: number[] = []
  const policy = droppingPolicy('mine', { beforeCompaction: view => asked.push(view.length) > 1 })
  expect(policy.due(viewOver(talk))).toBe(false)
  expect(policy.due(viewOver(talk, 40))).toBe(false)
  expect(policy.due(viewOver(talk, 40))).toBe(true)
  expect(asked).toEqual([5, 5])
})

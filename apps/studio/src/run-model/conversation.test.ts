import { expect, test } from 'vitest'
import { entriesOf, fields } from '../__fixtures__/entries.ts'
import { toConversation } from './conversation.ts'

const asked = fields('message.appended', 1, {
  source: 'input',
  message: { role: 'user', content: [{ type: 'text', text: 'Refund A-7' }] },
})
const answered = fields('message.appended', 2, {
  source: 'model',
  message: {
    role: 'assistant',
    content: [{ type: 'tool-call', callId: 'c', name: 'refund', arguments: '{"euros":5}' }],
  },
})

test('a call shows what its later entries say: effect, approval, decision, result', () => {
  const blocks = toConversation(
    entriesOf(
      asked,
      answered,
      fields('approval.requested', 3, {
        request: { approvalId: 'a', callId: 'c', name: 'refund', input: { euros: 5 }, prompt: 'Pay?' },
      }),
      fields('approval.decided', 4, { approvalId: 'a', decision: { type: 'modified', input: { euros: 4 } } }),
      fields('tool.started', 5, { callId: 'c', name: 'refund', effect: 'once', attempt: 1, input: { euros: 4 } }),
      fields('tool.ended', 6, {
        callId: 'c',
        name: 'refund',
        message: { role: 'tool', callId: 'c', name: 'refund', content: [] },
      }),
    ),
  )
  expect(blocks).toHaveLength(2)
  expect(blocks[1]).toMatchObject({
    kind: 'answer',
    calls: [
      {
        approval: { prompt: 'Pay?' },
        decision: { type: 'modified' },
        effect: 'once',
        input: { euros: 4 },
        startedSeq: 5,
        endedSeq: 6,
        result: { role: 'tool' },
      },
    ],
  })
})

test('a compaction, a handover and a failure are notes', () => {
  const size = { messages: 9, tokens: 100 }
  const notes = toConversation(
    entriesOf(
      fields('context.compacted', 1, { policy: 'window', before: size, after: { ...size, messages: 3 } }),
      fields('agent.changed', 2, { from: 'a', to: 'b' }),
      fields('run.failed', 3, { error: { code: 'runtime-closed' } }),
    ),
  )
  expect(notes.map(note => (note.kind === 'note' ? `${note.tone}: ${note.text}` : note.kind))).toEqual([
    'plain: Context compacted: 9 messages became 3',
    'plain: a handed over to b',
    'bad: The run failed: runtime-closed',
  ])
})

test('a supplied history precedes the input', () => {
  const history = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Earlier' }] }]
  const blocks = toConversation(entriesOf(fields('run.started', 1, { history }), asked))
  expect(blocks.map(block => block.kind === 'user' && block.source)).toEqual(['history', 'input'])
})

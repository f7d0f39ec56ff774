import type { ApprovalRequest } from '@parley/core'
import { expect, it } from 'vitest'
import { askApproval } from './ask-approval.ts'

const REQUEST: ApprovalRequest = { approvalId: 'a', callId: 'c', name: 'pay', input: { n: 7 }, prompt: 'Pay 7?' }

/** Asks with these answers, in order. After the last one, the user leaves. */
async function ask(answers: readonly string[], always = new Set<string>()) {
  let shown = ''
  const rest = [...answers]
  const decision = await askApproval(REQUEST, {
    always,
    terminal: {
      out: text => void (shown += text),
      error: () => {},
      style: (_, text) => text,
      columns: 80,
      isInteractive: true,
      isPlain: true,
      hasCursor: false,
    },
    prompter: {
      ask: async question => {
        shown += question
        return rest.shift()
      },
    },
  })
  return { decision, shown, always }
}

it.each([
  [['y'], { type: 'approved' }],
  [['what?', 'YES'], { type: 'approved' }],
  [['n', 'too much'], { type: 'rejected', reason: 'too much' }],
  [['n', ''], { type: 'rejected', reason: 'The user refused.' }],
  [['e', '{"n":', '{"n":8}'], { type: 'modified', input: { n: 8 } }],
  [['n'], undefined],
  [['e'], undefined],
  [[], undefined],
])('askApproval turns the answers %j into %j', async (answers, decision) => {
  expect((await ask(answers)).decision).toEqual(decision)
})

it('askApproval shows the question and the arguments', async () => {
  const { shown } = await ask(['y'])
  expect(shown).toContain('? Pay 7?\n')
  expect(shown).toContain('"n": 7')
})

it('askApproval approves later calls of a tool without a question after the answer always', async () => {
  const { always } = await ask(['a'])
  expect(await ask([], always)).toMatchObject({ decision: { type: 'approved' }, shown: '' })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { createWorker } from '../src/agent.ts'

const mail = { to: 'ada@example.com', text: 'Your parcel is on its way.' }

test('a run waits for approval, and another worker sends the e-mail once', async () => {
  const store = createMemoryStore()
  const sent: string[] = []
  const send = (to: string): number => sent.push(to)
  const model = scriptedModel(({ messages }) =>
    messages.some(({ role }) => role === 'tool') ? 'Done.' : { toolCalls: [{ name: 'send_mail', input: mail }] },
  )
  const first = createWorker({ model, store, send, onClose: 'suspend' })
  const waiting = await first.run('clerk', 'Where is my parcel?').result
  await first.close()
  assert(waiting.status === 'suspended')
  assert.deepEqual(sent, [])

  const second = createWorker({ model, store, send })
  const [approval] = waiting.approvals
  const decided = await second.decide(waiting.runId, approval?.approvalId ?? '', { decision: { type: 'approved' } })
  assert.equal((await decided.orThrow()).text, 'Done.')
  assert.deepEqual(sent, ['ada@example.com'])
  await second.close()
})

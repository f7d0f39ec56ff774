import type { Entry } from '@parley/core'
import { defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createTestApp } from './__fixtures__/open-test-server.ts'
import { tools } from './__fixtures__/tools.ts'
import { inputItemsOf } from './routes/openai/input-items.ts'

/** A run that is suspended for approval, on a server with a second agent. */
async function suspendedRun() {
  const model = scriptedModel([{ toolCalls: [{ name: 'pay' }] }, 'The guide continues.'])
  const agents = [
    defineAgent({ name: 'guide', model, tools }),
    defineAgent({ name: 'expert', model: scriptedModel(['The expert has looked.']) }),
  ]
  const { send, store } = createTestApp({ agents })
  const input = [{ role: 'user', content: [{ type: 'text', text: 'Pay.' }] }]
  await (await send('/process', { json: { input, id: 'mine' } })).text()
  const open = async () => {
    const { data } = (await (await send('/process/mine/approvals')).json()) as { data: Record<string, unknown>[] }
    return data
  }
  const [request] = await open()
  const id = String(request?.['approvalId'])
  const [record] = await store.runs({ scope: 'default' })
  return { send, store, open, id, threadId: record?.sessionId ?? '', path: `/process/mine/approvals/${id}` }
}

describe('a decision that escalates', () => {
  it('an escalation to an agent hands the run over, through every API that accepts decisions', async () => {
    const resume = (id: string) => [{ interruptId: id, status: 'resolved', payload: { escalateTo: 'expert' } }]
    const answer = (id: string) => ({ approval_request_id: id, escalate_to: 'expert', approve: false })
    const ways: Readonly<Record<string, (id: string, threadId: string) => readonly [string, object]>> = {
      route: id => [`/process/mine/approvals/${id}`, { escalate: { agent: 'expert' }, stream: false }],
      'agent api': id => [
        '/process',
        {
          input: [{ role: 'user', type: 'mcp_approval_response', content: [{ type: 'data', data: answer(id) }] }],
          id: 'more',
          stream: false,
        },
      ],
      'ag-ui': (id, threadId) => [
        '/ag-ui',
        { threadId, runId: 'r', messages: [], tools: [], context: [], resume: resume(id) },
      ],
    }
    for (const [name, way] of Object.entries(ways)) {
      const { send, id, store, threadId } = await suspendedRun()
      const [path, json] = way(id, threadId)
      const text = await (await send(path, { json })).text()
      expect([name, text]).toEqual([name, expect.stringContaining('let expert continue')])
      const [record] = await store.runs({ scope: 'default' })
      const entries = await store.read(record?.runId ?? '')
      expect(entries.find(entry => entry.type === 'approval.decided')).toMatchObject({
        decision: { type: 'escalated', agent: 'expert' },
      })
      expect(JSON.stringify(entries)).toContain('The expert has looked.')
    }
  })

  it('an escalation to an agent appears as a rejection that names the agent', async () => {
    const { send, path } = await suspendedRun()
    const text = await (await send(path, { json: { escalate: { agent: 'expert', task: 'Look.' } } })).text()
    expect(text).toContain('"approve":false,"reason":"escalated to expert"')
    const facts = { v: 1, seq: 1, at: 1, type: 'approval.decided', approvalId: 'a' } as const
    const entry = (decision: object) => ({ ...facts, decision }) as Entry
    expect(inputItemsOf('r', [entry({ type: 'escalated', agent: 'expert' })])).toMatchObject([
      { approve: false, reason: 'escalated to expert' },
    ])
    expect(inputItemsOf('r', [entry({ type: 'escalated', roles: ['boss'] })])).toEqual([])
  })

  it('an escalation to roles creates a new approval request for these roles', async () => {
    const { send, path, open } = await suspendedRun()
    const json = { escalate: { roles: ['boss'], prompt: 'Really?' }, stream: false }
    expect((await send(path, { json })).status).toBe(200)
    expect(await open()).toMatchObject([{ roles: ['boss'], prompt: 'Really?' }])
  })

  it('the server rejects an invalid escalation, and the call stays suspended for approval', async () => {
    const { send, path, open } = await suspendedRun()
    const before = await open()
    for (const json of [
      {},
      { approve: true, escalate: { agent: 'expert' } },
      { escalate: { agent: 'expert', roles: ['boss'] } },
      { escalate: { agent: 'guide' } },
      { escalate: { agent: 'missing' } },
    ]) {
      const { status } = await send(path, { json })
      expect([json, status]).toEqual([json, 'escalate' in json && json.escalate.agent === 'missing' ? 404 : 400])
    }
    expect(await open()).toEqual(before)
  })
})

const record = {
  runId: 'r1',
  sessionId: 's1',
  scope: 'default',
  agent: 'assistant',
  relation: 'initial',
  status: 'suspended',
  preview: 'Refund order 17.',
  seq: 6,
  startedAt: 0,
  updatedAt: 1,
}
const approval = { approvalId: 'a1', runId: 'r1', callId: 'c1', name: 'refund', input: { order: 17 }, canDecide: true }
const events = [
  { type: 'run.resumed', seq: 7 },
  { type: 'run.ended', seq: 8 },
].map(event => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`)
const answers: Record<string, () => Response> = {
  '/runs': () => Response.json({ runs: [record] }),
  '/approvals': () => Response.json({ approvals: [approval] }),
  '/approvals/a1': () => Response.json({ runId: 'r1', status: 'running' }),
  '/runs/r1/events': () => new Response(`${events.join('')}event: end\ndata: {}\n\n`),
}
const fetch: typeof globalThis.fetch = async url =>
  answers[new URL(url instanceof Request ? url.url : url).pathname]?.() ?? new Response('', { status: 404 })
// #region client
import { createRunsClient } from '@parley/runs-api'

const client = createRunsClient({ baseUrl: 'http://127.0.0.1:8080', key: 'secret', fetch })

const page = await client.runs({ status: 'suspended', limit: 20 })
for (const { runId, agent, preview } of page.runs) console.log(runId, agent, preview) // → r1 assistant Refund order 17.

const { approvals } = await client.approvals()
for (const { approvalId, runId } of approvals) {
  await client.decide(approvalId, { runId, decision: { type: 'approved' } })
  for await (const event of client.events(runId, { after: 6 })) console.log(event.type)
  // → run.resumed
  // → run.ended
}
// #endregion

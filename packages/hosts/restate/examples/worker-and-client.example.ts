// #region worker
import type { LiveBus, Store } from '@parley/core'
import { defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { createRestateClient, createRestateHost } from '@parley/restate'
import { scriptedModel } from '@parley/testing'

/** Start any number of workers behind one address. If one is killed, another continues its runs. */
async function work(store: Store, live?: LiveBus) {
  const assistant = defineAgent({ name: 'assistant', model: scriptedModel(['Done.']) })
  const host = createRestateHost({ store, live, agents: [assistant] })
  await host.listen({ port: 9080, hostname: '0.0.0.0' })
  process.once('SIGTERM', () => void host.close())
}
// #endregion

// #region client
async function ask(store: Store, question: string) {
  const client = createRestateClient({ ingress: 'http://localhost:8080', store })
  const run = await client.start('assistant', question, { sessionId: 'chat-7' })
  for await (const event of run.events()) {
    if (event.type === 'approval.requested')
      await run.decide(event.request.approvalId, { decision: { type: 'approved' } })
  }
  const result = await run.result()
  return result.status === 'completed' ? result.text : `The run ended as ${result.status}.`
}
// #endregion

void work
void ask
const store = createMemoryStore() // in production, workers and clients share one `openPostgresStore`
await using host = createRestateHost({ store })
console.log((await host.listen({ port: 0 })).port > 0) // → true
const client = createRestateClient({ ingress: 'http://127.0.0.1:1', store, waitMs: 0 })
try {
  await client.start('assistant', 'Hello?')
} catch (error) {
  // No Restate server listens on this port.
  console.log(error instanceof Error && error.message.includes('127.0.0.1:1')) // → true
}

import type { Store } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import type { ServerContext } from '../state/server-context.ts'
import { findAnswer, MESSAGE_ID } from './find-answer.ts'

it('findAnswer finds the newest answer to a message and reads one entry of each run', async () => {
  const inner = createMemoryStore()
  let read = 0
  const store: Store = {
    ...inner,
    read: async (runId, options) => {
      const entries = await inner.read(runId, options)
      read += entries.length
      return entries
    },
  }
  const agent = defineAgent({ name: 'guide', model: scriptedModel(() => 'An answer.') })
  await using runtime = createRuntime({ agents: [agent], store: inner })
  const answer = async (messageId: string): Promise<string> => {
    const { runId } = await runtime.run(agent, 'go', { sessionId: 'talk', metadata: { [MESSAGE_ID]: messageId } })
      .result
    return runId
  }
  await answer('one')
  const newest = await answer('one')
  await answer('two')
  await answer('three')
  const server = { store } as ServerContext
  const found = await findAnswer(server, { scope: 'default', sessionId: 'talk', messageId: 'one' })
  expect(found?.runId).toBe(newest)
  expect(read).toBe(3)
  expect(await findAnswer(server, { scope: 'default', sessionId: 'talk', messageId: 'four' })).toBeUndefined()
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMcpServer } from '@parley/mcp'
import { scriptedModel } from '@parley/testing'
import { createServer } from '../src/server.ts'

test('an MCP client lists and calls the tools', async () => {
  const opened = createServer({ model: scriptedModel(['It is 42.']) })
  const { url } = await opened.server.listen()
  const client = await openMcpServer({ transport: 'http', name: 'my-server', url, protocol: 'auto' })
  const reversed = await client.callTool('reverse', { text: 'parley' })
  assert.deepEqual(reversed.content, [{ type: 'text', text: 'yelrap' }])
  const answer = await client.callTool('ask', { question: 'What is 6 * 7?' })
  assert.deepEqual(answer.content, [{ type: 'text', text: 'It is 42.' }])
  await client.close()
  await opened.close()
})

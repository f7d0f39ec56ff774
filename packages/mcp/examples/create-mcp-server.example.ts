// #region serve
import { defineTool } from '@parley/core'
import { createMcpServer, openMcpServer } from '@parley/mcp'

const shout = defineTool({
  name: 'shout',
  description: 'Says a word louder.',
  input: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  effect: 'read',
  execute: input => `${(input as { word: string }).word.toUpperCase()}!`,
})

await using server = createMcpServer({ name: 'voice', version: '1.0.0', tools: [shout] })
const { url } = await server.listen() // or: await server.serveStdio()

await using client = await openMcpServer({ transport: 'http', name: 'voice', url, protocol: 'auto' })
console.log(client.protocolVersion, (await client.callTool('shout', { word: 'hey' })).content)
// → 2026-07-28 [ { type: 'text', text: 'HEY!' } ]
// #endregion

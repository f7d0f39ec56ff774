// A server on the official SDK, which speaks 2026-07-28 and the revisions before.
import { McpServer, fromJsonSchema } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const schema = fromJsonSchema({ type: 'object', properties: { text: { type: 'string' } }, required: ['text'] })

serveStdio(() => {
  const server = new McpServer({ name: 'modern', version: '1.0.0' }, { instructions: 'Modern.', capabilities: { resources: { subscribe: true } } })
  server.registerTool('echo', { description: 'Says it again.', inputSchema: schema }, async ({ text }) => ({
    content: [{ type: 'text', text }],
  }))
  const uri = 'note:///one'
  server.registerResource('one', uri, { mimeType: 'text/plain' }, async () => ({ contents: [{ uri, text: 'hi' }] }))
  server.registerTool('touch', { description: 'Says that the note changed.' }, async () => {
    await server.server.sendResourceUpdated({ uri })
    return { content: [] }
  })
  server.registerTool('grow', { description: 'Adds a tool.' }, async () => {
    server.registerTool('grown', { description: 'Was added.' }, async () => ({ content: [] }))
    return { content: [] }
  })
  server.registerTool('wait', { description: 'Never ends by itself.' }, async ({ mcpReq }) => {
    await new Promise(resolve => mcpReq.signal.addEventListener('abort', resolve))
    process.stderr.write('cancelled\n')
    return { content: [] }
  })
  return server
})

// A server on the official SDK whose tools ask the client's model, and execute the calls of its answers themselves.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CreateMessageResultWithToolsSchema } from '@modelcontextprotocol/sdk/types.js'

const server = new McpServer({ name: 'samples', version: '1.0.0' })
const weather = {
  name: 'weather',
  description: 'Tells the weather.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const question = { role: 'user', content: { type: 'text', text: 'Do I need an umbrella in Bern and in Rome?' } }
const text = value => ({ content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }] })

// The loop of the specification: ask, execute, and ask again with the results.
server.registerTool('plan', { description: 'Plans a day.' }, async () => {
  const messages = [question]
  for (;;) {
    const answer = await server.server.createMessage({ messages, tools: [weather], toolChoice: { mode: 'auto' }, maxTokens: 100 })
    if (answer.stopReason !== 'toolUse') return text(answer)
    const calls = [answer.content].flat().filter(({ type }) => type === 'tool_use')
    messages.push({ role: 'assistant', content: answer.content })
    const results = calls.map(({ id, input: { city } }) => ({
      type: 'tool_result',
      toolUseId: id,
      content: [{ type: 'text', text: `rain in ${city}` }],
      ...(city === 'Rome' ? { isError: true } : {}),
    }))
    messages.push({ role: 'user', content: results })
  }
})

// Sends parameters past the checks of the SDK.
server.registerTool('raw', { description: 'Sends a request as it is.' }, async () => {
  const params = JSON.parse(process.env.PARAMS ?? '{}')
  try {
    const request = { method: 'sampling/createMessage', params: { messages: [question], maxTokens: 100, ...params } }
    return text(await server.server.request(request, CreateMessageResultWithToolsSchema))
  } catch (error) {
    return text(`${error.code}: ${error.message}`)
  }
})

await server.connect(new StdioServerTransport())

// A minimal MCP server over stdio, for servers that misbehave on purpose. `handlers[method](params, context)` answers.
import { createInterface } from 'node:readline'

export function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

export function serve({ tools = () => [], handlers = {}, capabilities = { tools: { listChanged: true } } } = {}) {
  let clientCapabilities
  const methods = {
    initialize: params => {
      clientCapabilities = params.capabilities
      return {
      protocolVersion: params.protocolVersion,
      capabilities,
      serverInfo: { name: 'fixture', version: '1.0.0' },
      instructions: 'Be gentle.',
      }
    },
    ping: () => ({}),
    'tools/list': () => ({ tools: tools() }),
    ...handlers,
  }
  async function answer(line) {
    const message = JSON.parse(line)
    const { id, method, params = {} } = message
    if (method === undefined) return handlers.answer?.(message)
    const handler = methods[method]
    if (id === undefined) return handler?.(params, {})
    if (handler === undefined) return send({ id, error: { code: -32601, message: 'Method not found' } })
    try {
      const result = await handler(params, { id, capabilities: clientCapabilities })
      if (result !== undefined) send({ id, result })
    } catch (error) {
      send({ id, error: { code: error.code ?? -32603, message: error.message, data: error.data } })
    }
  }
  createInterface({ input: process.stdin }).on('line', line => void answer(line))
}

export function tool(name, more = {}) {
  return { name, description: `Does ${name}.`, inputSchema: { type: 'object' }, ...more }
}

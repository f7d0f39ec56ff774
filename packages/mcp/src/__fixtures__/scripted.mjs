// A server whose tools do what the tests need.
import { serve, send, tool } from './serve.mjs'

const seen = []
let extra = []

let onAnswer

const tools = {
  // Sends two requests to the client and returns its answers.
  ask: async () => {
    const answers = []
    const done = new Promise(resolve => {
      onAnswer = answer => answers.push(answer) === 2 && resolve()
    })
    send({ id: 'a', method: 'ping' })
    send({ id: 'b', method: 'roots/list' })
    await done
    const sorted = answers.toSorted((one, other) => one.id.localeCompare(other.id))
    return { content: [{ type: 'text', text: JSON.stringify(sorted) }] }
  },
  chatter: ({ bytes }) => {
    process.stderr.write(`${'noise\n'.repeat(bytes / 6)}last words\n`)
    return { content: [] }
  },
  // The progress and the result in one chunk.
  steps: (_, { id, token }) => {
    const progress = [1, 2, 3].map(step => ({ method: 'notifications/progress', params: { progressToken: token, progress: step } }))
    const result = { id, result: { content: [{ type: 'text', text: 'done' }] } }
    process.stdout.write([...progress, result].map(message => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''))
  },
  echo: ({ text }) => ({ content: [{ type: 'text', text }] }),
  seen: () => ({ content: [{ type: 'text', text: JSON.stringify(seen) }] }),
  crash: () => {
    process.stderr.write('boom\n')
    process.exit(7)
  },
  hang: () => undefined,
  fail: () => ({ isError: true, content: [{ type: 'text', text: 'no such file' }], structuredContent: { errno: 2 } }),
  refuse: () => {
    throw Object.assign(new Error('bad params'), { code: -32602 })
  },
  big: ({ bytes }) => ({ content: [{ type: 'text', text: 'x'.repeat(bytes) }] }),
  parts: () => ({
    content: [
      { type: 'text', text: 'hi' },
      { type: 'image', data: 'aW1n', mimeType: 'image/png' },
      { type: 'audio', data: 'c25k', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'file:///a.txt', text: 'inside' } },
      { type: 'resource', resource: { uri: 'file:///b.bin', blob: 'YmxvYg==' } },
      { type: 'resource_link', uri: 'file:///c.md', name: 'c', mimeType: 'text/markdown', description: 'A note.' },
    ],
  }),
  structured: () => ({ content: [], structuredContent: { answer: 42 } }),
  lies: () => ({ content: [], structuredContent: { answer: 'many' } }),
  add: ({ name }) => {
    extra = [...extra, name]
    send({ method: 'notifications/tools/list_changed' })
    return { content: [{ type: 'text', text: 'added' }] }
  },
  touch: () => {
    send({ method: 'notifications/tools/list_changed' })
    return { content: [] }
  },
}

const SCHEMA = { type: 'object', properties: { answer: { type: 'integer' } }, required: ['answer'] }
const MORE = {
  echo: { annotations: { readOnlyHint: true }, inputSchema: { type: 'object', properties: { text: { type: 'string' } }, $defs: { x: {} }, if: {}, else: {} } },
  crash: { annotations: { readOnlyHint: true } },
  hang: { annotations: { idempotentHint: true } },
  structured: { outputSchema: SCHEMA },
  lies: { outputSchema: SCHEMA },
  parts: { description: undefined, title: 'All kinds of parts' },
  seen: { description: undefined },
  touch: { inputSchema: { type: 'object', '~standard': { version: 1 } } },
}

// Two tools a page.
function page(cursor = '0') {
  const all = [...Object.keys(tools).map(name => tool(name, MORE[name])), ...extra.map(name => tool(name))]
  const from = Number(cursor)
  const next = from + 2
  return { tools: all.slice(from, next), ...(next < all.length ? { nextCursor: String(next) } : {}) }
}

serve({
  handlers: {
    'tools/list': ({ cursor }) => {
      seen.push('tools/list')
      return page(cursor)
    },
    'tools/call': ({ name, arguments: input, _meta }, { id }) =>
      tools[name]?.(input, { id, token: _meta?.progressToken }),
    'notifications/cancelled': ({ requestId, reason }) => void seen.push(`cancelled ${typeof requestId} ${reason}`),
    'notifications/custom': params => void seen.push(`custom ${JSON.stringify(params)}`),
    answer: message => onAnswer?.(message),
    'client/capabilities': (_, { capabilities }) => capabilities,
    'custom/method': params => ({ got: params, 'x-kept': [1, null] }),
  },
})

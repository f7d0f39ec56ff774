// Tells what came along with a call.
import { serve, tool } from './serve.mjs'

const told = _meta => JSON.stringify(_meta ?? null)

serve({
  capabilities: { tools: {}, prompts: {}, resources: {} },
  tools: () => [tool('meta', { annotations: { readOnlyHint: true } })],
  handlers: {
    'tools/call': ({ _meta }) => ({ content: [{ type: 'text', text: told(_meta) }] }),
    'resources/read': ({ uri, _meta }) => ({ contents: [{ uri, text: told(_meta) }] }),
    'prompts/get': ({ _meta }) => ({ messages: [{ role: 'user', content: { type: 'text', text: told(_meta) } }] }),
  },
})

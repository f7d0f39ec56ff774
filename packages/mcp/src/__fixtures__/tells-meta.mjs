// Returns the `_meta` of each request.
import { serve, tool } from './serve.mjs'

const metaOf = _meta => JSON.stringify(_meta ?? null)

serve({
  capabilities: { tools: {}, prompts: {}, resources: {} },
  tools: () => [tool('meta', { annotations: { readOnlyHint: true } })],
  handlers: {
    'tools/call': ({ _meta }) => ({ content: [{ type: 'text', text: metaOf(_meta) }] }),
    'resources/read': ({ uri, _meta }) => ({ contents: [{ uri, text: metaOf(_meta) }] }),
    'prompts/get': ({ _meta }) => ({ messages: [{ role: 'user', content: { type: 'text', text: metaOf(_meta) } }] }),
  },
})

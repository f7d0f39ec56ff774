// Refuses its tools until a page was visited: `once` until `done` is called, `never` and `file` always.
import { send, serve, tool } from './serve.mjs'

let visited = false

function refuse(url) {
  const elicitations = [{ mode: 'url', elicitationId: url, url, message: 'Agree first.' }]
  throw Object.assign(new Error('Visit a page first.'), { code: -32042, data: { elicitations } })
}

const tools = {
  never: () => refuse('https://example.com/never'),
  file: () => refuse('file:///etc/passwd'),
  once: () => (visited ? { content: [{ type: 'text', text: 'visited' }] } : refuse('https://example.com/once')),
  done: () => {
    visited = true
    send({ method: 'notifications/elicitation/complete', params: { elicitationId: 'https://example.com/once' } })
    return { content: [] }
  },
}

serve({
  tools: () => Object.keys(tools).map(name => tool(name)),
  handlers: { 'tools/call': ({ name }) => tools[name]() },
})

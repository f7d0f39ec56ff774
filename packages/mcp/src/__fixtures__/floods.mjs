// Sends more notifications than the client can read while its tool runs, and answers requests in between.
import { once } from 'node:events'
import { serve, tool } from './serve.mjs'

const CHUNK = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } })}\n`
const tap = { open: false }

async function flood() {
  tap.open = true
  while (tap.open) {
    if (!process.stdout.write(CHUNK.repeat(500))) await once(process.stdout, 'drain')
    await new Promise(resolve => setImmediate(resolve))
  }
}

serve({
  tools: () => [tool('start'), tool('echo'), tool('stop')],
  handlers: {
    'tools/call': ({ name }) => {
      if (name === 'start') void flood()
      if (name === 'stop') tap.open = false
      return { content: [{ type: 'text', text: name }] }
    },
  },
})

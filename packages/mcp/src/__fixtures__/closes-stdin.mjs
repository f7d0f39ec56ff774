// Reads nothing more after the first call of its tool, and ignores SIGTERM.
import { closeSync } from 'node:fs'
import { serve, tool } from './serve.mjs'

process.on('SIGTERM', () => {})
setInterval(() => {}, 60_000)
serve({
  tools: () => [tool('deaf')],
  handlers: {
    'tools/call': () => {
      process.stdin.destroy()
      closeSync(0)
      return { content: [] }
    },
  },
})

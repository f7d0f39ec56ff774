import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { serve, tool } from './serve.mjs'

// The grandchild holds the server's pipes and, with argv[2] === 'stubborn', ignores SIGTERM.
const stubborn = process.argv[2] === 'stubborn' ? "process.on('SIGTERM', () => {});" : ''
const script = `${stubborn} setInterval(() => {}, 60_000); process.send('ready')`
const grandchild = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
await once(grandchild, 'message')
grandchild.unref()
grandchild.channel.unref()
serve({
  tools: () => [tool('grandchild')],
  handlers: { 'tools/call': () => ({ content: [{ type: 'text', text: String(grandchild.pid) }] }) },
})
process.stdin.on('end', () => process.exit(0))

// Serves over stdin and stdout, as MCP clients start it; with --http over Streamable HTTP.
import { once } from 'node:events'
import { model } from './model.ts'
import { createServer } from './server.ts'
import { openStore } from './store.ts'

await using store = await openStore()
await using opened = createServer({ model, store })
if (process.argv.includes('--http')) {
  const { url } = await opened.server.listen({ port: Number(process.env['PORT'] ?? 3001) })
  console.log(`Serves ${url}`)
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
} else {
  await opened.server.serveStdio()
}

// Serves over stdin and stdout, as MCP clients start it; with --http over Streamable HTTP.
import { once } from 'node:events'
import { model } from './model.ts'
import { createServer } from './server.ts'
import { openStore } from './store.ts'

const store = await openStore()
const opened = createServer({ model, store, resources: [store] })
if (process.argv.includes('--http')) {
  const { url } = await opened.server.listen({ port: Number(process.env['PORT'] ?? 3001) })
  console.log(`Serves ${url}`)
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
} else {
  await opened.server.serveStdio()
}
await opened.close()

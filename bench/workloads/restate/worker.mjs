import { createServer } from 'node:http2'
import { createRestateHost } from '@parley/restate'
import { openSqliteStore } from '@parley/sqlite'
import { createEndpointHandler, workflow } from '@restatedev/restate-sdk'
import { scriptedAgent } from '../scripted-agent.mjs'

const { kind, file, port } = JSON.parse(process.argv[2])
process.once('disconnect', () => process.exit())

if (kind === 'parley') {
  const store = await openSqliteStore({ path: file })
  const host = createRestateHost({
    store,
    agents: [2, 10, 22].map(turns => ({ ...scriptedAgent({ turns }), name: `turns-${turns}` })),
  })
  await host.listen({ port, reusePort: true })
} else {
  const bare = workflow({
    name: 'bench-bare',
    handlers: {
      run: async (context, operations) => {
        for (let index = 0; index < operations; index++) await context.run(`step ${index}`, () => {})
      },
    },
  })
  const server = createServer(createEndpointHandler({ services: [bare], logger: () => {} }))
  server.listen({ port, host: '127.0.0.1', reusePort: true })
}
process.send('ready')

import { serve } from '@hono/node-server'
import { createRuntime } from '@parley/engine'
import { defineAssistant } from './agent.ts'
import { createApp } from './app.ts'
import { model } from './model.ts'
import { openStore } from './store.ts'

const store = await openStore()
const runtime = createRuntime({ store, resources: [store], agents: [defineAssistant(model)] })
const port = Number(process.env['PORT'] ?? 3000)
const server = serve({ fetch: createApp(runtime).fetch, port, hostname: '127.0.0.1' }, ({ port: opened }) => {
  console.log(`Open http://127.0.0.1:${opened}`)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    server.close()
    void runtime.close()
  })

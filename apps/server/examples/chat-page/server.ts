import { createDemoModel } from '@parley/demo-model' // or: createOpenAI().model('gpt-5-mini') from '@parley/openai'
import { createRuntime, defineAgent } from '@parley/engine'
import { hashApiKey, openServer } from '@parley/server'
import { openSqliteStore } from '@parley/sqlite'
import { calculator } from '@parley/tools/math'

const store = await openSqliteStore({ path: process.env['CHATS'] ?? 'chats.db' })
const agents = [defineAgent({ name: 'assistant', model: createDemoModel(), tools: [calculator] })]
const runtime = createRuntime({ agents, store })

const server = await openServer({
  runtime,
  keys: [{ name: 'alice', hash: hashApiKey('a-long-and-random-key') }],
  port: Number(process.env['PORT'] ?? 8080),
  corsOrigins: [process.env['PAGE'] ?? 'http://localhost:5173'], // where Vite serves the page
  onDisconnect: { 'ai-sdk-ui': 'continue' }, // a page that is closed does not cancel its answer
})
console.log(server.url)

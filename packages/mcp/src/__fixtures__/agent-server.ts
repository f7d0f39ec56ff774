// Serves an agent over stdio, until the client disconnects.
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { agentsAsTools, createMcpServer } from '../index.ts'

const agent = defineAgent({ name: 'greeter', description: 'Greets.', model: scriptedModel(['Hello.']) })
await using runtime = createRuntime({ agents: [agent] })
await createMcpServer({ name: 'agents', version: '1', tools: agentsAsTools(runtime) }).serveStdio()

// #region agents
import { createRuntime, defineAgent } from '@parley/engine'
import { agentsAsTools, createMcpServer, openMcpServer } from '@parley/mcp'
import { scriptedModel } from '@parley/testing'

const guide = defineAgent({ name: 'guide', description: 'Knows the town.', model: scriptedModel(['Turn left.']) })
await using runtime = createRuntime({ agents: [guide] })
await using server = createMcpServer({ name: 'town', version: '1.0.0', tools: agentsAsTools(runtime) })
const { url } = await server.listen()

await using client = await openMcpServer({ transport: 'http', name: 'town', url })
const onProgress = ({ message }: { message?: string | undefined }): void => console.log(message)
const { content } = await client.callTool('guide', { input: 'Where is the station?' }, { onProgress })
console.log(content[0]?.['text'])
// → asks scripted/script (turn 1)
// → Turn left.
// #endregion

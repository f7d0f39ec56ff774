// #region offer
import { createMcpServer, openMcpServer } from '@parley/mcp'

const notes = new Map([['monday', 'Call Ada.']])

await using server = createMcpServer({
  name: 'desk',
  version: '1.0.0',
  tools: [],
  prompts: [
    {
      name: 'plan',
      description: 'Plans a day.',
      arguments: { day: { required: true, complete: ['monday', 'tuesday'] } },
      render: ({ day }) => `Plan my ${day}. Read the notes of that day first.`,
    },
  ],
  resources: [{ uri: 'notes://{day}', name: 'Notes of a day', read: ({ day = '' }) => notes.get(day) }],
})
const { url } = await server.listen()

await using client = await openMcpServer({ transport: 'http', name: 'desk', url })
const { messages } = await client.getPrompt('plan', { day: 'monday' })
console.log(messages[0]?.content['text']) // → Plan my monday. Read the notes of that day first.
console.log((await client.readResource('notes://monday'))[0]?.text) // → Call Ada.
// #endregion

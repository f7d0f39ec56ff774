// #region memory
import assert from 'node:assert/strict'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing' // or: createOpenAI().model('gpt-5-mini') from '@parley/openai'
import { createMemoryTools } from '@parley/tools/memory'

const store = createMemoryStore() // with `openSqliteStore` or `openPostgresStore`, notes outlive the process
const { notes } = store
assert(notes !== undefined)
const model = scriptedModel([
  { toolCalls: [{ name: 'remember_memory', input: { content: 'Ada takes her tea green.', categories: ['drinks'] } }] },
  'I will keep that in mind.',
  { toolCalls: [{ name: 'recall_memory', input: { query: 'What does Ada drink?' } }] },
  'Green tea.',
])
const tools = createMemoryTools({ memory: notes, history: store })
const agent = defineAgent({ name: 'host', model, tools })

await using runtime = createRuntime({ store, agents: [agent] })
await runtime.invoke('host', 'I am Ada. Green tea, always.')
const { text } = await runtime.invoke('host', 'What shall we serve?') // another session
console.log(text) // → Green tea.
const [note] = await notes.list({ scope: 'default' })
console.log(note?.text, note?.uses) // → Ada takes her tea green. 1
// #endregion memory

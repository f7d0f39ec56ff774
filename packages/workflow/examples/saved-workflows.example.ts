// #region saved
import { defineTool } from '@parley/core'
import { createRuntime } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { loadWorkflows, saveWorkflow } from '@parley/workflow'
import * as z from 'zod'

const store = createMemoryStore() // use `openSqliteStore` or `openPostgresStore` to keep workflows after the process ends
const greeting = {
  name: 'greeting',
  inputs: { who: {} },
  steps: [{ type: 'tool', tool: 'greet', input: { who: '{{who}}' } }],
} as const
const { name, version } = await saveWorkflow(store, greeting)
console.log(name, version) // → greeting 1

// At the start of a process: tools come from the program, workflows from the store.
const greet = defineTool({
  name: 'greet',
  description: 'Greets a person by name.',
  input: z.object({ who: z.string() }),
  execute: ({ who }) => `Hello, ${who}.`,
})
await using runtime = createRuntime({ store, agents: await loadWorkflows(store, { tools: [greet] }) })
const { output } = await runtime.invoke('greeting', 'go', { variables: { who: 'Ada' } })
console.log(output) // → { status: 'success', result: 'Hello, Ada.', failures: [] }
// #endregion saved

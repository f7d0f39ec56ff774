// Completes a run that calls a tool, and prints the parts of Node.js that it made the process load.
import type { Model } from '@parley/core'

const before = new Set(loadedModules())
const { defineTool } = await import('@parley/core')
const { createRuntime, defineAgent } = await import('@parley/engine')
const usage = { input: 1, output: 1, reasoning: 0, cacheRead: 0, cacheWrite: 0 }
const model: Model = {
  provider: 'memory',
  id: 'script',
  info: {},
  async *stream({ messages }) {
    const isFirst = messages.at(-1)?.role === 'user'
    if (isFirst) yield { type: 'tool-call', callId: 'call-1', name: 'add', arguments: '{"a":1}' }
    else yield { type: 'text.delta', text: 'Done.' }
    yield { type: 'usage', usage }
    yield { type: 'finish', reason: isFirst ? 'tool-calls' : 'stop' }
  },
}
const add = defineTool({
  name: 'add',
  description: 'Adds one.',
  input: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
  execute: input => (input as { readonly a: number }).a + 1,
})
await using runtime = createRuntime({ agents: [defineAgent({ name: 'adder', model, tools: [add] })] })
const result = await runtime.run('adder', 'Add 1.').result
const loaded = loadedModules().filter(name => !before.has(name))
console.log(JSON.stringify({ status: result.status, loaded }))

function loadedModules(): readonly string[] {
  return (process as unknown as { readonly moduleLoadList: readonly string[] }).moduleLoadList
}

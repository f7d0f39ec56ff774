// Begins a workflow, or goes on with it, and kills its own process in the middle of the call it is told.
// Arguments: database, file that takes the effects, value of the call to die in.
import { appendFileSync } from 'node:fs'
import { defineTool } from '@parley/core'
import { createRuntime } from '@parley/engine'
import { openSqliteStore } from '@parley/sqlite'
import { defineWorkflow, type Step } from '@parley/workflow'

const [path = '', effects = '', dieIn = ''] = process.argv.slice(2)
const mark = defineTool({
  name: 'mark',
  description: 'd',
  input: { type: 'object', properties: { value: { type: 'string' } } },
  effect: 'idempotent',
  execute(input) {
    const { value } = input as { readonly value: string }
    if (value === dieIn) process.kill(process.pid, 'SIGKILL')
    appendFileSync(effects, `${value}\n`)
    return value
  },
})
const marks = (...values: readonly string[]): Step => ({
  type: 'sequence',
  steps: values.map(value => ({ type: 'tool', tool: 'mark', input: { value } })),
  output: '{{results}}',
})
const workflow = defineWorkflow(
  {
    name: 'w',
    // One at a time: what is done is on disk before the next begins.
    parallelLimit: 1,
    steps: [
      { type: 'parallel', steps: [marks('a', 'b'), marks('c', 'd', 'e')] },
      { type: 'map', over: 'result.1', as: 'each', steps: [marks('{{each}}1', '{{each}}2')] },
    ],
    output: '{{results}}',
  },
  { tools: [mark] },
)

await using store = await openSqliteStore({ path })
await using runtime = createRuntime({ agents: [workflow], store, isWorkerGone: () => true })
const { runs } = await runtime.resumeAll()
const result = await (runs[0] ?? runtime.run('w', 'go')).result
console.log(JSON.stringify(result.output))

// Starts or resumes a workflow and kills its own process during the given call.
// Arguments: path of the database, path of the effects file, value of the call during which the process dies.
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
    // One call at a time, so that the entries of each call are on disk before the next call starts.
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
const result = await (runs[0] ?? runtime.run('w', 'go')).orThrow()
console.log(JSON.stringify(result.output))

import { appendFileSync, writeSync } from 'node:fs'
import { defineTool, type Store } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { agentTask, defineEval, defineScorer, judge, runEval } from '@parley/evals'
import { openSqliteStore } from '@parley/sqlite'
import { scriptedModel } from '@parley/testing'

/** What a process of the crash test does. */
export interface WorkerOrder {
  /** Path of the database. */
  readonly path: string
  /** The file that gets a line for each paid model call, each score and each result. */
  readonly ledger: string
  /** The append before or after which the process kills itself. @default none */
  readonly death?: { readonly append: number; readonly side: 'before' | 'after' } | undefined
}

const { path, ledger, death } = JSON.parse(process.argv[2] ?? '') as WorkerOrder
const write = (line: string): void => appendFileSync(ledger, `${line}\n`)

let appends = 0
const kept = await openSqliteStore({ path })
const store = new Proxy(kept, {
  get(target, key) {
    if (key !== 'append') return Reflect.get(target, key) as unknown
    return async (...given: Parameters<Store['append']>) => {
      const number = ++appends
      if (death?.append === number && death.side === 'before') process.kill(process.pid, 'SIGKILL')
      await target.append(...given)
      if (death?.append === number && death.side === 'after') process.kill(process.pid, 'SIGKILL')
    }
  },
})

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  input: { type: 'object' },
  effect: 'read',
  execute: () => 'rain',
})
const info = { pricing: { input: 1, output: 1, source: 'test', date: '2026-01-01' } }
const model = scriptedModel(
  ({ messages }) => {
    const question = JSON.stringify(messages[0]).includes('first') ? 'first' : 'second'
    const answered = messages.some(({ role }) => role === 'tool')
    write(`model ${question} ${answered ? 2 : 1}`)
    return answered ? 'It rains.' : { toolCalls: [{ name: 'look', callId: `look ${question}` }] }
  },
  { info },
)
const judging = scriptedModel(
  ({ messages }) => {
    write(`judge ${JSON.stringify(messages).includes('first') ? 'first' : 'second'}`)
    return { text: '{"reason":"Good.","grade":1}' }
  },
  { info },
)
const once = defineScorer({
  name: 'once',
  score: ({ id }) => {
    write(`score ${id}`)
    return true
  },
})

const crashes = defineEval({
  name: 'crashes',
  data: [
    { id: 'first', input: 'first' },
    { id: 'second', input: 'second' },
  ],
  task: agentTask(defineAgent({ name: 'forecaster', model, tools: [look] })),
  scorers: [once, judge({ model: judging, rubric: 'It answers the question.' })],
  concurrency: 1,
})

const worker = String(process.pid)
const runtime = createRuntime({ store, worker, isWorkerGone: other => other !== worker })
const result = await runEval(crashes, {
  runtime,
  version: { commit: 'abc' },
  onResult: ({ runId }) => write(`result ${runId}`),
})
await runtime.close()
writeSync(1, JSON.stringify({ appends, result }))

import { appendFileSync } from 'node:fs'
import { defineTool, type Store } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { agentTask, defineEval, defineScorer, judge, runEval, type EvalResult } from '@parley/evals'
import { openSqliteStore } from '@parley/sqlite'
import { scriptedModel } from '@parley/testing'

/** What a process of the crash test does. */
export interface WorkerOrder {
  /** The evals that the process starts or resumes, one after another. */
  readonly evals: readonly EvalPlace[]
  /** The append before or after which the process kills itself. @default none */
  readonly death?: { readonly append: number; readonly side: 'before' | 'after' } | undefined
}

/** What an eval leaves behind. */
export interface EvalPlace {
  /** Path of the database. */
  readonly path: string
  /** The file that gets a line for each paid model call, each score and each result. */
  readonly ledger: string
}

/** The result of one eval. */
export interface EvalReport {
  readonly appends: number
  readonly result: EvalResult
}

const { evals, death } = JSON.parse(process.argv[2] ?? '') as WorkerOrder

/** Wraps a store. It counts appends, and kills the process at its point of death. */
function mortal(kept: Store): { readonly store: Store; readonly appends: () => number } {
  let appends = 0
  const append = async (...given: Parameters<Store['append']>): Promise<void> => {
    const number = ++appends
    if (death?.append === number && death.side === 'before') process.kill(process.pid, 'SIGKILL')
    await kept.append(...given)
    if (death?.append === number && death.side === 'after') process.kill(process.pid, 'SIGKILL')
  }
  const store = new Proxy(kept, {
    get: (target, key) => (key === 'append' ? append : (Reflect.get(target, key) as unknown)),
  })
  return { store, appends: () => appends }
}

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  input: { type: 'object' },
  effect: 'read',
  execute: () => 'rain',
})
const info = { pricing: { input: 1, output: 1, source: 'test', date: '2026-01-01' } }

/** Defines the eval. `write` writes a line into its ledger. */
function crashes(write: (line: string) => void) {
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
  return defineEval({
    name: 'crashes',
    data: [
      { id: 'first', input: 'first' },
      { id: 'second', input: 'second' },
    ],
    task: agentTask(defineAgent({ name: 'forecaster', model, tools: [look] })),
    scorers: [once, judge({ model: judging, rubric: 'It answers the question.' })],
    concurrency: 1,
  })
}

async function work({ path, ledger }: EvalPlace): Promise<EvalReport> {
  const write = (line: string): void => appendFileSync(ledger, `${line}\n`)
  const { store, appends } = mortal(await openSqliteStore({ path }))
  const worker = String(process.pid)
  const runtime = createRuntime({ store, worker, isWorkerGone: other => other !== worker })
  const result = await runEval(crashes(write), {
    runtime,
    version: { commit: 'abc' },
    onResult: ({ runId }) => write(`result ${runId}`),
  })
  await runtime.close()
  await store[Symbol.asyncDispose]()
  return { appends: appends(), result }
}

const reports: EvalReport[] = []
for (const place of evals) reports.push(await work(place))
process.stdout.write(JSON.stringify(reports))

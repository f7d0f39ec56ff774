import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkOptions, ParleyError, refuseOption, Semaphore, type OptionKinds } from '@parley/core'
import type { CrashReport, RunFault } from './crash-report.ts'
import { judgeTool } from './judge/judge-tool.ts'
import { testSubject, type SubjectResult } from './test-subject.ts'
import { parsePoint } from './points/crash-point.ts'
import { openProvingGround, type ProvingGround } from './process/proving-ground.ts'
import type { WorkerProgram } from './process/run-worker.ts'
import { gatherEvidence } from './judge/gather-evidence.ts'

/** Options of `crashTest`. */
export interface CrashTestOptions {
  /** Module that exports the agents. Every process loads it. */
  readonly module: string | URL
  /** Program that calls `runCrashWorker` with a store: its file, or the arguments that Node.js gets. */
  readonly worker: WorkerProgram
  /** Names of agents. @default every agent that the module exports */
  readonly agents?: readonly string[] | undefined
  /** Inputs, one run for each. @default those of the export `inputs`, or `go` */
  readonly inputs?: readonly string[] | undefined
  /** The only point at which the process is killed, as a report names it. @default every point */
  readonly at?: string | undefined
  /** A file outside of the folder to which tools append a line for each change. @default a file for each repetition, `PARLEY_CRASH_LEDGER` */
  readonly ledger?: string | undefined
  /** Folder whose files are copied into the folder of each repetition. @default the folder is empty */
  readonly files?: string | undefined
  /** Repetitions at the same time. With a shared world (`world`, `ledger`) they run one after another. @default 2 */
  readonly concurrency?: number | undefined
  /** Milliseconds after which a process that does not end counts as stuck. @default 30_000 */
  readonly timeoutMs?: number | undefined
  /** Called after each repetition. */
  readonly onProgress?: ((progress: CrashProgress) => void) | undefined
  /** Variables of the processes. @default those of this process */
  readonly environment?: NodeJS.ProcessEnv | undefined
  /** Time, for ids of runs. @default the machine's */
  readonly now?: (() => number) | undefined
  /** Aborting it stops the test. The promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined
}

/** A repetition that is no longer wanted ends at once when it gets its place. */
const UNSTOPPABLE = { stopped: false, onStop: () => {}, offStop: () => {} }

/** How far a crash test is. */
export interface CrashProgress {
  readonly agent: string
  readonly done: number
  /** Grows while the agents are run for the first time. */
  readonly total: number
}

const OPTIONS: OptionKinds<CrashTestOptions> = {
  module: 'any',
  worker: 'any',
  agents: 'strings',
  inputs: 'strings',
  at: 'string',
  ledger: 'string',
  files: 'string',
  concurrency: 'number',
  timeoutMs: 'number',
  onProgress: 'function',
  environment: 'object',
  now: 'function',
  signal: 'signal',
}

/**
 * Runs agents and kills their process before and after each append and inside each handler, then resumes the run in another
 * process. Compares what the tools did to the world with runs that were not killed. The models answer once; repetitions
 * replay their answers.
 * @throws ParleyError `config-invalid`; `file-unreadable` if the module does not load; `agent-unknown`.
 */
export async function crashTest(options: CrashTestOptions): Promise<CrashReport> {
  checkOptions('crashTest', options, OPTIONS)
  const { now = Date.now, environment = process.env, timeoutMs = 30_000, concurrency = 2, ...given } = options
  const { agents, inputs, at, ledger, files, worker, onProgress, signal } = given
  if (!(Number.isInteger(concurrency) && concurrency > 0))
    refuseOption('crashTest.concurrency', `is ${concurrency}; must be a positive integer`)
  if (!(timeoutMs > 0)) refuseOption('crashTest.timeoutMs', `is ${timeoutMs}; must be above 0`)
  const point = at === undefined ? undefined : parsePoint(at)
  const module = checkModule(options.module)
  if (files !== undefined && !existsSync(files))
    throw new ParleyError({ code: 'file-unreadable', path: files, detail: 'the folder does not exist' })
  using ground = openProvingGround({
    module,
    worker,
    ledger: ledger === undefined ? undefined : resolve(ledger),
    files: files === undefined ? undefined : resolve(files),
    timeoutMs,
    environment,
    signal,
    now,
  })
  const { subjects, isShared } = await chooseSubjects(ground, { agents, inputs })
  const places = new Semaphore(isShared || ledger !== undefined ? 1 : concurrency)
  let [done, total] = [0, 0]
  const results = await Promise.all(
    subjects.map((subject, index) =>
      testSubject(
        { ...subject, tape: ground.path(`tape-${index}`) },
        {
          ground,
          at: point,
          plan: count => void (total += count),
          async inPlace(work) {
            const leave = await places.acquire(UNSTOPPABLE)
            try {
              return await work()
            } finally {
              leave?.()
              onProgress?.({ agent: subject.agent, done: ++done, total })
            }
          },
        },
      ),
    ),
  )
  return toReport(results)
}

function checkModule(module: string | URL): string {
  const path = module instanceof URL ? fileURLToPath(module) : module
  if (typeof path !== 'string') refuseOption('crashTest.module', 'is missing; must be the path of a module with agents')
  if (!existsSync(path)) throw new ParleyError({ code: 'file-unreadable', path, detail: 'the file does not exist' })
  return resolve(path)
}

async function chooseSubjects(ground: ProvingGround, wanted: Pick<CrashTestOptions, 'agents' | 'inputs'>) {
  const { agents, hasWorld } = await ground.list()
  const known = agents.map(({ name }) => name)
  const unknown = wanted.agents?.find(name => !known.includes(name))
  if (unknown !== undefined) throw new ParleyError({ code: 'agent-unknown', agent: unknown, known })
  const chosen = agents.filter(({ name }) => wanted.agents?.includes(name) ?? true)
  const subjects = chosen.flatMap(({ name: agent, inputs }) =>
    (wanted.inputs ?? inputs).map(input => ({ agent, input })),
  )
  return { subjects, isShared: hasWorld }
}

function toReport(results: readonly SubjectResult[]): CrashReport {
  const tools = gatherEvidence(results).map(judgeTool)
  const runs: readonly RunFault[] = results.flatMap(({ faults }) => faults)
  const silent = results.filter(({ clean }) => clean?.[0].calls.length === 0)
  return {
    tools,
    runs,
    withoutCalls: [...new Set(silent.map(({ subject }) => subject.agent))],
    kills: results.reduce((sum, { kills }) => sum + kills, 0),
    hasFaults: runs.length > 0 || tools.some(({ isFault }) => isFault),
  }
}

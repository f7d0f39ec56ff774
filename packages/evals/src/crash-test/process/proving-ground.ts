import { appendFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createId } from '@parley/core'
import type { PlannedPoint } from '../points/plan-points.ts'
import { traceEffects, type Trace } from '../judge/trace-effects.ts'
import type { Mark } from './mark.ts'
import { listModule, runWorker, type RunWorkerOptions, type WorkerProgram } from './run-worker.ts'
import type { ModuleContents, WorkOrder } from './work-order.ts'

export interface ProvingGroundOptions {
  readonly module: string
  readonly worker: WorkerProgram
  /** A file that the tools append to, instead of one for each repetition. */
  readonly ledger: string | undefined
  /** Folder whose files are in the folder of each repetition. */
  readonly files: string | undefined
  readonly timeoutMs: number
  readonly environment: NodeJS.ProcessEnv
  readonly signal: AbortSignal | undefined
  readonly now: () => number
}

/** A run that is repeated. */
export interface Subject {
  readonly agent: string
  readonly input: string
  /** File with the answers of the models. */
  readonly tape: string
}

/** The result of one repetition. */
export interface Repetition {
  readonly trace: Trace
  /** The marks of its first process. */
  readonly marks: readonly Mark[]
  readonly wasKilled: boolean
}

export interface RepeatOptions {
  readonly planned?: PlannedPoint | undefined
  /** Tool whose declared effect is replaced by `idempotent`. */
  readonly tried?: string | undefined
  /** Whether the machine's time is later for the tools. */
  readonly isLater?: boolean | undefined
}

/** Repeats runs, each in a folder and a store of its own. */
export interface ProvingGround extends Disposable {
  list(): Promise<ModuleContents>
  /** A path in the temporary folder. */
  path(name: string): string
  /** Runs the subject once: in one process, or in one that is killed and one that resumes it. */
  repeat(subject: Subject, options?: RepeatOptions): Promise<Repetition>
}

/** Name of the file with the store, in a folder of its own. */
const STORE = 'runs.db'

/** A bit more than a day: a key made from the day, the hour, the minute or the second is then another one. */
const LATER_MS = 90_061_000

/** Opens a temporary folder for repetitions of runs. */
export function openProvingGround(options: ProvingGroundOptions): ProvingGround {
  const { module, ledger, files, timeoutMs, worker: program, environment, signal, now } = options
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'parley-crash-')))
  // `list` leaves an empty store there. Each repetition gets a copy, because creating the tables takes longer than a short run.
  const empty = join(root, 'empty')
  mkdirSync(empty)
  let count = 0

  function open(subject: Subject, { planned, tried }: RepeatOptions) {
    const place = join(root, `${++count}`)
    const folder = join(place, 'world')
    mkdirSync(folder, { recursive: true })
    cpSync(empty, join(place, 'store'), { recursive: true })
    if (files !== undefined) cpSync(files, folder, { recursive: true })
    const lines = ledger ?? join(place, 'ledger')
    // Tools may read the ledger before they append to it.
    appendFileSync(lines, '')
    const base = {
      ...subject,
      module,
      runId: createId(now()),
      store: join(place, 'store', STORE),
      folder,
      ledger: lines,
      tried,
      timeoutMs,
    }
    const work = (order: Pick<WorkOrder, 'task' | 'laterMs'> & Partial<WorkOrder>): RunWorkerOptions => ({
      program,
      order: { ...base, out: join(place, `${order.task}.marks`), ...order },
      orderFile: join(place, `${order.task}.json`),
      signal,
      environment,
    })
    return { place, folder, work, point: planned?.point, unseen: planned?.unseen }
  }

  return {
    path: name => join(root, name),
    async list() {
      const { work } = open({ agent: '', input: '', tape: '' }, {})
      return listModule(work({ task: 'list', laterMs: 0, store: join(empty, STORE), out: join(root, 'module.json') }))
    },
    async repeat(subject, repeating = {}) {
      const { place, folder, work, point, unseen } = open(subject, repeating)
      try {
        const laterMs = repeating.isLater === true ? LATER_MS : 0
        const first = await runWorker(work({ task: 'run', laterMs, point, unseen }))
        const processes = [first.marks]
        if (first.wasKilled) processes.push((await runWorker(work({ task: 'resume', laterMs: LATER_MS }))).marks)
        return { trace: traceEffects(processes, folder), marks: first.marks, wasKilled: first.wasKilled }
      } finally {
        rmSync(place, { recursive: true, force: true })
      }
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}

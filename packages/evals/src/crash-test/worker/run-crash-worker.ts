import { readFileSync, writeFileSync } from 'node:fs'
import { checkOptions, ParleyError, type OptionKinds, type Store } from '@parley/core'
import { createRuntime } from '@parley/engine'
import type { Mark } from '../process/mark.ts'
import type { WorkOrder } from '../process/work-order.ts'
import { folderFacts, ledgerFacts } from '../world/folder-facts.ts'
import type { Facts } from '../world/facts.ts'
import { jsonFacts } from '../world/json-facts.ts'
import { openAnswerTape } from './answer-tape.ts'
import { driveRun, readFates } from './drive-run.ts'
import { contentsOf, loadModule, type LoadedModule } from './load-module.ts'
import { openMarkWriter, type MarkWriter } from './mark-writer.ts'
import { createMortalStore } from './mortal-store.ts'
import { createProbe } from './probe.ts'
import { loadRunNames, type RunNames } from './run-names.ts'
import { shiftTime } from './shift-time.ts'
import { createAgentWatch } from './watch-agent.ts'
import { handling, unwatched, watchChanges } from './watch-changes.ts'

const write = writeFileSync

/** Options of `runCrashWorker`. */
export interface CrashWorkerOptions {
  /** Opens the store that survives the process, for example `path => openSqliteStore({ path })`. */
  readonly openStore: (path: string) => Promise<Store>
  /** File with what to do. @default `PARLEY_CRASH_ORDER`, which `crashTest` sets */
  readonly order?: string | undefined
}

const OPTIONS: OptionKinds<CrashWorkerOptions> = { openStore: 'function!', order: 'string' }

/**
 * Does the work of one process of a crash test, which may end in its death. The program that `crashTest` starts calls it.
 * @throws ParleyError `config-invalid` if the process was not started by `crashTest`; `file-unreadable` if the module of the
 * agents does not load.
 */
export async function runCrashWorker(options: CrashWorkerOptions): Promise<void> {
  checkOptions('runCrashWorker', options, OPTIONS)
  const { openStore, order: path = process.env['PARLEY_CRASH_ORDER'] } = options
  if (path === undefined) {
    const detail = 'is missing; crashTest starts this program, and sets PARLEY_CRASH_ORDER'
    throw new ParleyError({ code: 'config-invalid', path: 'runCrashWorker.order', detail })
  }
  const order = JSON.parse(readFileSync(path, 'utf8')) as WorkOrder
  try {
    if (order.task === 'list') await list(order, openStore)
    else await work(order, openStore)
  } catch (error) {
    if (order.task !== 'list' || !ParleyError.is(error)) throw error
    write(order.out, JSON.stringify({ error: error.info }))
  }
}

async function list({ out, module, store }: WorkOrder, openStore: CrashWorkerOptions['openStore']): Promise<void> {
  write(out, JSON.stringify({ contents: contentsOf(await loadModule(module)) }))
  const empty = await openStore(store)
  await empty[Symbol.asyncDispose]()
}

/** Milliseconds that timers and requests of the tools get after the end of the run. */
const SETTLE_MS = 3_000

async function work(order: WorkOrder, openStore: CrashWorkerOptions['openStore']): Promise<void> {
  const { folder, ledger, runId, point } = order
  const marks = openMarkWriter(order.out)
  process.chdir(folder)
  const kept = await openStore(order.store)
  const files = (): Facts => unwatched(() => ({ ...folderFacts(folder), ...ledgerFacts(ledger) }))
  const asFound = files()
  shiftTime(order.laterMs)
  let loaded: LoadedModule | undefined
  watchChanges({ marks, point, seen: [folder, ledger], hasWorld: () => loaded?.world !== undefined })
  loaded = await loadModule(order.module)
  const { world } = loaded
  const shown = async (): Promise<Facts> =>
    world === undefined ? {} : jsonFacts('world', await handling.exit(async () => world()))
  const look = async (): Promise<Facts> => ({ ...files(), ...(await shown()) })
  marks.write({ type: 'begin', world: { ...asFound, ...(await shown()) } })
  // What the module changes while it loads belongs to no call.
  marks.write({ type: 'loaded', world: await look() })
  const names = await loadRunNames(kept, runId, (run, id) => marks.write({ type: 'run', run, runId: id }))
  const end = await drive(order, { kept, loaded, marks, names, look })
  settleBeforeExit(() => look(), marks)
  marks.write(end)
}

interface Surroundings {
  readonly kept: Store
  readonly loaded: LoadedModule
  readonly marks: MarkWriter
  readonly names: RunNames
  readonly look: () => Promise<Facts>
}

async function drive(order: WorkOrder, { kept, loaded, marks, names, look }: Surroundings): Promise<Mark> {
  const { runId, agent, input, point, unseen, tried } = order
  const tape = openAnswerTape(order.tape, () => names)
  const probe = createProbe({ marks, names: () => names, point, unseen, look })
  const watch = createAgentWatch({ probe, tried })
  const store = createMortalStore(kept, { names, marks, point, onAppended: append => probe.onAppended(append) })
  const runtime = createRuntime({
    store,
    agents: loaded.agents.map(watch),
    worker: `${process.pid}`,
    isWorkerGone: () => true,
    defaults: { middleware: [probe.middleware, tape.middleware] },
    // Tools that fail are part of the test.
    onUnreadFailure: () => {},
  })
  try {
    const status = await driveRun({ runtime, store, agent, input, runId, submit: loaded.submit })
    return { type: 'end', status, fates: await readFates(kept, runId, names) }
  } catch (error) {
    return { type: 'end', status: 'broken', fates: [], error: error instanceof Error ? error.message : String(error) }
  } finally {
    tape.save()
    await runtime.close()
    await kept[Symbol.asyncDispose]()
  }
}

/** Looks at the world when the process has nothing left to do, or has waited long enough for it. */
function settleBeforeExit(look: () => Promise<Facts>, marks: MarkWriter): void {
  let isSettled = false
  const settle = async (isForced: boolean): Promise<void> => {
    if (isSettled) return
    isSettled = true
    marks.write({ type: 'settled', world: await look() })
    if (isForced) process.exit(0)
  }
  setTimeout(() => void settle(true), SETTLE_MS).unref()
  process.once('beforeExit', () => void settle(false))
}

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqliteStore } from '@parley/sqlite'
import { followRun, type ClientReport } from './follow-run.ts'
import type { ServerOrder } from './storm-server.ts'

export interface ServerStormOptions {
  /** Servers to kill. */
  readonly kills: number
  /** Live streams at the same time. */
  readonly streams: number
  /** Returns numbers from 0 to 1, which choose victims and pauses. */
  readonly random: () => number
  /** Called about every second. */
  readonly onProgress: (line: string) => void
}

export interface ServerStormReport {
  readonly faults: readonly string[]
  readonly kills: number
  readonly runs: number
  /** Runs that a client began a second time, because the server died before it answered. */
  readonly repeated: number
  readonly effects: number
  readonly losses: number
  /** Clients that saw their run end without being completed. */
  readonly failed: number
  /** Longest time that a client waited for an event. */
  readonly longestMs: number
  /** Time from the last kill until every client had its terminal event. */
  readonly settledMs: number
  readonly folder: string
}

const SERVERS = 3
const LEASE_MS = 2_000
/** After the last kill, a client needs a lease, a search and the rest of a run: about ten seconds on an idle machine. */
const GIVE_UP_MS = 120_000

/** One place for a server. A killed server is replaced under another host name, at the same address. */
class ServerSlot {
  readonly #start: (port: number, name: string) => ChildProcess
  #child: ChildProcess | undefined
  #names = 0
  #port = 0
  isUp = false

  constructor(start: (port: number, name: string) => ChildProcess) {
    this.#start = start
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async open(name: string): Promise<void> {
    const child = this.#start(this.#port, `${name}-${this.#names++}`)
    this.#child = child
    const [port] = (await once(child, 'message')) as [number]
    this.#port = port
    this.isUp = true
  }

  async kill(): Promise<void> {
    this.isUp = false
    const child = this.#child
    if (child === undefined) return
    const closed = once(child, 'close')
    child.kill('SIGKILL')
    await closed
  }
}

/** Kills servers while clients read streams, and checks that no run is lost, no payment is made twice and no client waits forever. */
export async function runServerStorm({
  kills,
  streams,
  random,
  onProgress,
}: ServerStormOptions): Promise<ServerStormReport> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-server-storm-'))
  const [path, ledger] = [join(folder, 'runs.db'), join(folder, 'ledger')]
  await writeFile(ledger, '')
  await using store = await openSqliteStore({ path, busyTimeoutMs: 20_000 })
  const script = new URL('storm-server.ts', import.meta.url)
  const start = (port: number, worker: string): ChildProcess => {
    const order: ServerOrder = { path, ledger, leaseMs: LEASE_MS, port, worker }
    return fork(script, [JSON.stringify(order)], {
      execArgv: ['--conditions=@parley/source'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
  }
  const slots = Array.from({ length: SERVERS }, () => new ServerSlot(start))
  await Promise.all(slots.map((slot, index) => slot.open(`host-${index}`)))
  const pick = <TItem>(items: readonly TItem[]): TItem | undefined => items[Math.floor(random() * items.length)]
  const read = new Map<number, ServerSlot>()
  const url = (number: number): string => {
    const slot = pick(slots.filter(({ isUp }) => isUp)) ?? slots[0]
    if (slot !== undefined) read.set(number, slot)
    return slot?.url ?? ''
  }

  const reports: ClientReport[] = []
  const giveUp = new AbortController()
  const calm = new AbortController()
  const client = async (number: number): Promise<void> => {
    for (let count = 0; count === 0 || !calm.signal.aborted; count++)
      reports.push(await followRun({ key: `run-${number}-${count}`, url: () => url(number), signal: giveUp.signal }))
  }
  const clients = Promise.all(Array.from({ length: streams }, (_, number) => client(number)))
  for (let killed = 0; killed < kills; killed++) {
    await sleep(200 + random() * 400)
    // A server that no client reads from would be killed without a loss.
    const slot = pick([...read.values()])
    await slot?.kill()
    await slot?.open(`host-${slots.indexOf(slot)}`)
    if (killed % 10 === 9) onProgress(`${killed + 1} of ${kills} kills, ${reports.length} runs ended`)
  }
  calm.abort()
  const stopped = performance.now()
  const timer = setTimeout(() => giveUp.abort(), GIVE_UP_MS)
  await clients
  clearTimeout(timer)
  const settledMs = performance.now() - stopped
  await Promise.all(slots.map(async slot => await slot.kill()))
  const paid = (await readFile(ledger, 'utf8')).split('\n').filter(line => line !== '')
  const records = await store.runs({ scope: 'default', limit: 100_000 })
  const faults = audit(reports, records, paid)
  if (faults.length === 0) await rm(folder, { recursive: true, force: true })
  return {
    faults,
    kills,
    runs: reports.length,
    repeated: records.length - reports.length,
    effects: paid.length,
    losses: reports.reduce((sum, { losses }) => sum + losses, 0),
    failed: reports.filter(({ status }) => status !== undefined && status !== 'completed').length,
    longestMs: Math.max(...reports.map(({ longestMs }) => longestMs)),
    settledMs,
    folder,
  }
}

interface StoredRun {
  readonly runId: string
  readonly status: string
}

function audit(
  reports: readonly ClientReport[],
  records: readonly StoredRun[],
  paid: readonly string[],
): readonly string[] {
  const faults: string[] = []
  for (const { id = 'a run without an answer', status } of reports)
    if (status === undefined) faults.push(`the client of ${id} got no terminal event`)
  const ended = new Set(records.flatMap(({ runId, status }) => (status === 'completed' ? [`response_${runId}`] : [])))
  for (const { id = '', status } of reports)
    if (status !== undefined && status !== 'completed' && ended.has(id))
      faults.push(`the client of ${id} saw ${status}, but the run completed`)
  const open = records.filter(({ status }) => status === 'running' || status === 'suspended')
  for (const { runId, status } of open) faults.push(`the run ${runId} is ${status}`)
  if (records.length < reports.length) faults.push(`of ${reports.length} runs only ${records.length} are stored`)
  for (const key of new Set(paid.filter((each, index) => paid.indexOf(each) !== index)))
    faults.push(`the run ${key} paid twice`)
  return faults
}

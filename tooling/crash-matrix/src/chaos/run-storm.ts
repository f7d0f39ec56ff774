import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '@parley/core'
import { bundleWorker } from '../__fixtures__/bundle-worker.ts'
import { openRaceStore } from '../__fixtures__/open-race-store.ts'
import { auditStorm, type StormVerdict } from './audit-storm.ts'
import { Fleet } from './fleet.ts'
import { openLedger } from './ledger.ts'
import { openDatabase, type Database } from './open-database.ts'
import { randomFrom } from './random-from.ts'
import type { StormOrder } from './storm-worker.ts'
import { Traffic } from './traffic.ts'

export interface StormOptions {
  readonly store: 'sqlite' | 'postgres'
  /** Workers to kill. */
  readonly kills: number
  /** Chooses runs, victims and pauses. The operating system chooses how the processes interleave. */
  readonly seed: number
  readonly workers: number
  /** Called about every second. */
  readonly onProgress: (line: string) => void
}

export interface StormReport extends StormVerdict {
  readonly kills: number
  readonly zombies: number
  readonly poisoned: number
  readonly databaseCrashes: number
  readonly terminated: number
  readonly started: number
  readonly commands: number
  readonly seconds: number
  /** The folder of the ledger and of an SQLite file. It is kept after faults. */
  readonly folder: string
}

/** Short, so that runs of dead workers and zombies are resumed soon. */
const LEASE_MS = 800
/** Milliseconds after the last kill within which every run must be settled. */
const SETTLE_MS = 120_000

/** Runs agents in several processes while it kills and stops processes and the database, and audits every run. */
export async function runStorm(options: StormOptions): Promise<StormReport> {
  const begun = performance.now()
  const folder = await mkdtemp(join(tmpdir(), 'parley-chaos-'))
  const path = join(folder, 'ledger')
  await writeFile(path, '')
  const ledger = openLedger(path)
  await using database = await openDatabase(options.store, folder)
  await using store = await openRaceStore(database.place)
  const order: StormOrder = { place: database.place, ledger: path, leaseMs: LEASE_MS }
  const fleet = new Fleet({
    script: await bundleWorker('storm-worker', import.meta.url),
    order: JSON.stringify(order),
    size: options.workers,
    wasPoisoned: pid => ledger.read().some(line => line.type === 'crash' && line.pid === pid),
  })
  await fleet.ready()
  const random = randomFrom(options.seed)
  const traffic = new Traffic({ fleet, store, random })
  const counts = await storm({ options, fleet, traffic, database, random })
  const stuck = await settle(traffic, store, options)
  await fleet.end()
  await traffic.close()
  const verdict = await auditStorm({ store, ledger: ledger.read(), sent: traffic.sent })
  const faults = [...verdict.faults, ...stuck, ...fleet.uncaught.map(text => `a worker ${text}`)]
  if (faults.length === 0) await rm(folder, { recursive: true, force: true })
  const seconds = Math.round((performance.now() - begun) / 1_000)
  const { poisoned } = fleet
  return {
    ...verdict,
    ...counts,
    faults,
    poisoned,
    seconds,
    folder,
    started: traffic.started,
    commands: traffic.sent.length,
  }
}

interface StormParts {
  readonly options: StormOptions
  readonly fleet: Fleet
  readonly traffic: Traffic
  readonly database: Database
  readonly random: () => number
}

interface Disasters {
  kills: number
  zombies: number
  databaseCrashes: number
  terminated: number
}

async function storm({ options, fleet, traffic, database, random }: StormParts): Promise<Disasters> {
  const counts: Disasters = { kills: 0, zombies: 0, databaseCrashes: 0, terminated: 0 }
  const frozen = new Set<Promise<void>>()
  const isOver = (): boolean => counts.kills >= options.kills
  const strike = async (): Promise<void> => {
    const at = random()
    if (at < 0.1 && frozen.size === 0) {
      counts.zombies++
      const freezing = fleet.freeze(LEASE_MS * (1.3 + random() * 2), random).then(() => void frozen.delete(freezing))
      frozen.add(freezing)
    } else if (at < 0.12 && database.crash !== undefined) {
      await database.crash()
      counts.databaseCrashes++
    } else if (at < 0.2 && database.terminate !== undefined) counts.terminated += await database.terminate()
    else if (fleet.kill(random)) counts.kills++
  }
  const disasters = async (): Promise<void> => {
    while (!isOver()) {
      await sleep(100 + random() * 500)
      await strike()
    }
  }
  const load = async (): Promise<void> => {
    for (let ticks = 0; !isOver(); ticks++) {
      await traffic.tick()
      await sleep(60)
      if (ticks % 15 === 0)
        options.onProgress(`${counts.kills} of ${options.kills} kills, ${traffic.started} runs started`)
    }
  }
  await Promise.all([disasters(), load()])
  await Promise.all(frozen)
  return counts
}

/** Waits until every run is settled. @returns Faults of the runs that are not. */
async function settle(traffic: Traffic, store: Store, { onProgress }: StormOptions): Promise<readonly string[]> {
  const deadline = performance.now() + SETTLE_MS
  for (let ticks = 0; performance.now() < deadline; ticks++) {
    const left = await traffic.settle()
    if (left.length === 0) return []
    if (ticks % 15 === 0) onProgress(`${left.length} runs to settle`)
    await sleep(100)
  }
  const unsettled = await Promise.all((await traffic.settle()).map(({ runId }) => store.run(runId)))
  return unsettled.map(record => `the run ${record?.runId} was not settled within ${SETTLE_MS / 1_000} s`)
}

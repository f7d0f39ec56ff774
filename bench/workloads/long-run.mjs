import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createMemoryStore } from '@parley/memory-store'
import { openSqliteStore } from '@parley/sqlite'
import { copyToBareJournal, costOfBareTurn, openBareJournal } from './long-run/bare-journal.mjs'
import { bundleProcess } from './long-run/bundle-process.mjs'
import { writeJournal } from './long-run/released-run.mjs'
import { costOfTurn } from './long-run/turn-cost.mjs'

/** Entries of the resumed journal for each turn of the point: 100,000 for turn 10,000. */
const ENTRIES_A_TURN = 10

/** One run with many turns: what its newest turn costs, and what it takes to resume it. */
export const longRun = {
  name: 'W11',
  title: 'Long runs',
  limit:
    'the same rows by raw inserts, two messages pushed to an array, and a copy of that array for the request; to resume, the rows read, parsed and pushed',
  axis: 'turn',
  scales: { full: { points: [10, 1_000, 10_000] }, small: { points: [10, 1_000] } },
  open: writeJournals,
  sides: { parley: measureRun, limit: measureBare },
  curves: [
    { metric: 'turnUs', label: 'CPU µs of a turn on SQLite, the whole history in each request' },
    { metric: 'windowTurnUs', label: 'CPU µs of a turn on SQLite, 100 messages in each request' },
    { metric: 'memoryTurnUs', label: 'CPU µs of a turn in memory, the whole history in each request' },
    { metric: 'resumeMs', label: 'ms to resume a journal with 10 entries for each turn' },
    { metric: 'resumeMb', label: 'MB of RSS that resuming it adds' },
    { metric: 'bytesPerTurn', label: 'bytes on disk for each turn' },
  ],
  lines: [
    // The whole history is in each request. A request needs a list of its own, because a model may keep it, so the copy grows.
    {
      name: 'last turn ÷ turn 10, on SQLite',
      value: read => read('parley', 'turnUs') / read('parley', 'turnUs', 10),
      atMost: 1.3,
    },
    { name: 'the same without what the limit takes for it', value: growthBeyondLimit('turnUs') },
    {
      name: 'last turn ÷ turn 10, on SQLite, 100 messages in a request',
      value: read => read('parley', 'windowTurnUs') / read('parley', 'windowTurnUs', 10),
      atMost: 1.3,
    },
    {
      name: 'ms to resume the longest journal',
      value: read => read('parley', 'resumeMs'),
      atMost: 1_000,
      compared: false,
    },
    {
      name: 'MB of RSS of the process that resumes it',
      value: read => read('parley', 'peakMb'),
      atMost: 200,
      compared: false,
    },
    // A short journal takes less time than loading the code that checks it.
    {
      name: 'time to resume it ÷ limit',
      value: read => read('parley', 'resumeMs') / read('limit', 'resumeMs'),
      compared: false,
    },
    {
      name: 'bytes on disk per turn ÷ limit',
      value: read => read('parley', 'bytesPerTurn') / read('limit', 'bytesPerTurn'),
    },
  ],
}

function growthBeyondLimit(metric) {
  const beyond = (read, point) => read('parley', metric, point) - read('limit', metric, point)
  return read => beyond(read) / beyond(read, 10)
}

/** Writes the journals that are resumed, one for each point, into one file, and the same entries into a bare one. */
async function writeJournals({ points }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-long-run-'))
  const [file, bare] = [path.join(folder, 'journals.db'), path.join(folder, 'bare.db')]
  const runIds = {}
  for (const point of points) {
    const runId = await writeJournal(file, point * ENTRIES_A_TURN)
    await using store = await openSqliteStore({ path: file })
    await copyToBareJournal(bare, { store, runId })
    runIds[point] = runId
  }
  return { value: { file, bare, runIds }, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

async function measureRun({ point: turn, shared: { file, runIds } }) {
  return inFolder(async folder => {
    const journals = path.join(folder, 'journals.db')
    await cp(file, journals)
    const resumed = await resume({ side: 'parley', file: journals, runId: runIds[turn] })
    const inMemory = await costOfTurn({ turn, openStore: createMemoryStore })
    const windowed = await measureOnSqlite(path.join(folder, 'windowed.db'), { turn, maxMessages: 100 })
    const whole = await measureOnSqlite(path.join(folder, 'whole.db'), { turn })
    return {
      ...resumed,
      turnUs: whole.us,
      windowTurnUs: windowed.us,
      memoryTurnUs: inMemory.us,
      bytesPerTurn: whole.bytesPerTurn,
    }
  })
}

async function measureOnSqlite(file, { turn, maxMessages }) {
  const store = await openSqliteStore({ path: file })
  const cost = await costOfTurn({ turn, maxMessages, openStore: () => store })
  await store[Symbol.asyncDispose]()
  return { ...cost, bytesPerTurn: (await stat(file)).size / cost.turns }
}

async function measureBare({ point: turn, shared: { bare: journal, runIds } }) {
  return inFolder(async folder => {
    const runId = runIds[turn]
    const resumed = await resume({ side: 'limit', file: journal, runId })
    const bare = path.join(folder, 'bare.db')
    const database = openBareJournal(bare, { journal, runId })
    const { us: turnUs, turns } = costOfBareTurn(turn, database.write)
    database.close()
    const { us: memoryTurnUs } = costOfBareTurn(turn)
    return { ...resumed, turnUs, memoryTurnUs, bytesPerTurn: (await stat(bare)).size / turns }
  })
}

async function resume(job) {
  const child = fork(await bundleProcess(), [JSON.stringify(job)])
  return (await once(child, 'message'))[0]
}

async function inFolder(work) {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-long-run-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

// Measures Parley Studio in Chromium, with its page built (`pnpm --filter @parley/studio exec vite build`).
//   node --conditions=@parley/source bench/studio.mjs [--entries 50000] [--pages 20] [--runs 50]
// 1. Frames: the three views of a run with many entries are scrolled; the time between two frames.
// 2. Readers: the cost of a durable turn while many pages watch the store, against the same turns without a page.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openChromium } from '@parley/browser'
import { ZERO_USAGE } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { openServer } from '@parley/server'
import { openSqliteStore } from '@parley/sqlite'
import { studioAssets } from '@parley/studio'
import { scriptedModel } from '@parley/testing'

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '50000' },
    pages: { type: 'string', default: '20' },
    runs: { type: 'string', default: '50' },
    /** Set for the process that drives the runs: the database. */
    drive: { type: 'string' },
  },
})
const TURNS = 40

function workingAgent() {
  const look = {
    name: 'look',
    description: 'Looks.',
    input: { type: 'object' },
    effect: 'read',
    execute: () => 'Nothing.',
  }
  const model = scriptedModel(({ messages }) =>
    messages.length < TURNS * 2 ? { toolCalls: [{ name: 'look' }], delayMs: 5 } : 'Done.',
  )
  return defineAgent({ name: 'worker', model, tools: [look], limits: { maxTurns: TURNS + 1 } })
}

if (values.drive !== undefined) {
  await drive(values.drive)
} else {
  const folder = await mkdtemp(join(tmpdir(), 'parley-studio-bench-'))
  try {
    await measureFrames(join(folder, 'long.db'))
    await measureReaders(join(folder, 'busy.db'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Drives many runs at once and prints the CPU time of a turn. */
async function drive(path) {
  const store = await openSqliteStore({ path })
  const runtime = createRuntime({ store, agents: [workingAgent()] })
  const before = process.cpuUsage()
  const started = performance.now()
  await Promise.all(Array.from({ length: Number(values.runs) }, () => runtime.run('worker', 'Look around.').result))
  const { user, system } = process.cpuUsage(before)
  const turns = Number(values.runs) * (TURNS + 1)
  console.log(
    JSON.stringify({ cpuUs: (user + system) / turns, wallUs: ((performance.now() - started) * 1000) / turns }),
  )
  await runtime.close()
  await store[Symbol.asyncDispose]()
}

function driveInProcess(path) {
  const args = ['--conditions=@parley/source', import.meta.filename, '--drive', path, '--runs', values.runs]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout.on('data', chunk => (text += chunk))
    child.on('close', code =>
      code === 0 ? resolve(JSON.parse(text)) : reject(new Error(`the driver ended with ${code}`)),
    )
  })
}

async function openStudio(path) {
  const store = await openSqliteStore({ path })
  const runtime = createRuntime({ store })
  const server = await openServer({ runtime, agents: [], access: 'viewer', studio: await studioAssets(), port: 0 })
  const chromium = await openChromium()
  if (chromium === undefined) throw new Error('Chromium does not start on this platform')
  const close = async () => {
    await chromium[Symbol.asyncDispose]()
    await server.close({ drainMs: 0 })
    await store[Symbol.asyncDispose]()
  }
  return { store, server, browser: chromium.browser, [Symbol.asyncDispose]: close }
}

async function measureFrames(path) {
  await using studio = await openStudio(path)
  const runId = '01900000-0000-7000-8000-000000000001'
  await writeLongRun(studio.store, runId, Number(values.entries))
  const page = await studio.browser.newPage({ viewport: { width: 1280, height: 800 } })
  const views = { timeline: '.timeline-rows', conversation: '.conversation', entries: '.entries' }
  for (const [tab, selector] of Object.entries(views)) {
    await page.goto(`${studio.server.url}/studio/runs/${runId}?tab=${tab}`)
    await page.getByText('Ended', { exact: true }).waitFor({ timeout: 120_000 })
    await page.locator(selector).waitFor()
    const frames = await page.evaluate(scrollFrames, selector)
    console.log(
      `${tab}: ${values.entries} entries, ${frames.count} frames, p50 ${frames.p50} ms, p99 ${frames.p99} ms, longest ${frames.longest} ms`,
    )
  }
}

/** Runs in the page: scrolls through the whole list and measures the time between two frames. */
async function scrollFrames(selector) {
  const list = document.querySelector(selector)
  const times = []
  const count = 300
  let last = await new Promise(requestAnimationFrame)
  for (let index = 0; index < count; index += 1) {
    list.scrollTop = (list.scrollHeight / count) * index
    const now = await new Promise(requestAnimationFrame)
    times.push(now - last)
    last = now
  }
  const sorted = times.toSorted((a, b) => a - b)
  const at = share => Math.round(sorted[Math.floor((count - 1) * share)] * 10) / 10
  return { count, p50: at(0.5), p99: at(0.99), longest: at(1) }
}

/** Writes a run of tool calls, entry by entry as the engine does. */
async function writeLongRun(store, runId, count) {
  const usage = { ...ZERO_USAGE, input: 100, output: 20 }
  let seq = 0
  let at = 1_700_000_000_000
  const entry = (type, fields) => ({ v: 1, seq: ++seq, at: (at += 20), type, ...fields })
  const text = content => [{ type: 'text', text: content }]
  let batch = [
    entry('run.started', {
      agent: 'long',
      model: 'bench/model',
      sessionId: 'long',
      scope: 'default',
      relation: 'initial',
    }),
    entry('message.appended', { source: 'input', message: { role: 'user', content: text('Work for a long time.') } }),
  ]
  const flush = async () => {
    await store.append({ runId, expectedSeq: batch[0].seq - 1, worker: 'bench', fence: 1, entries: batch })
    batch = []
  }
  for (let turn = 1; turn <= (count - 3) / 4; turn += 1) {
    const callId = `call_${turn}`
    const call = { type: 'tool-call', callId, name: 'look', arguments: `{"at":${turn}}` }
    const message = { role: 'tool', callId, name: 'look', content: text(`Result ${turn} with a few words.`) }
    batch.push(
      entry('model.called', {
        turn,
        model: 'bench/model',
        finish: 'tool-calls',
        usage,
        cost: { usd: 0.001 },
        durationMs: 15,
      }),
      entry('message.appended', {
        source: 'model',
        message: { role: 'assistant', content: [...text(`Step **${turn}**.`), call] },
      }),
      entry('tool.started', { turn, callId, name: 'look', input: { at: turn }, effect: 'read', attempt: 1 }),
      entry('tool.ended', { turn, callId, name: 'look', message, durationMs: 10 }),
    )
    if (batch.length >= 400) await flush()
  }
  batch.push(entry('run.ended', { outcome: { status: 'completed', finish: 'stop' }, usage }))
  await flush()
}

async function measureReaders(path) {
  const alone = []
  const watched = []
  await using studio = await openStudio(path)
  const seed = createRuntime({ store: studio.store, agents: [workingAgent()] })
  const first = await seed.run('worker', 'Look around.').result
  await seed.close()
  for (let round = 0; round < 3; round += 1) {
    alone.push(await driveInProcess(path))
    const pages = await Promise.all(Array.from({ length: Number(values.pages) }, () => studio.browser.newPage()))
    const addresses = ['/', `/runs/${first.runId}`, '/approvals', '/workers']
    await Promise.all(
      pages.map((page, index) => page.goto(`${studio.server.url}/studio${addresses[index % addresses.length]}`)),
    )
    watched.push(await driveInProcess(path))
    await Promise.all(pages.map(page => page.close()))
  }
  const least = list => Math.min(...list.map(({ cpuUs }) => cpuUs))
  const ratio = least(watched) / least(alone)
  console.log(
    `a durable turn: ${least(alone).toFixed(1)} µs CPU alone, ${least(watched).toFixed(1)} µs with ${values.pages} pages: ${ratio.toFixed(2)}`,
  )
}

// Runs tests several times beside busy loops, and lists each test that ever failed.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { measureMemory } from './src/measure-memory.ts'
import { describeRun, readFailures, summarizeRuns } from './src/summarize-runs.ts'

const HELP = `Usage: pnpm steady [--runs N] [--load K] [--shuffle] [--deep] [-- ARGUMENTS OF THE TESTS]

Runs tests N times beside K busy loops, and lists each test that ever failed. Exits with 1 if a test failed.

  --runs N     number of runs (default 3)
  --load K     number of busy loops (default 3)
  --shuffle    gives each run its own order of the files and of their tests
  --deep       runs the deep suite
  --help       prints this text`

const SAMPLE_MS = 2_000
/** How long the tests have to end what they started after Ctrl-C. */
const GRACE_MS = 5_000

const root = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(tmpdir(), 'parley-steady-'))
const running = new Set()
process.on('exit', () => {
  for (const { pid } of running) send(pid, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])
  process.on(signal, () => stop(signal, code))

let stopped = false
// The busy loops would keep this process running.
process.exit(await main(readOptions()))

function readOptions() {
  const options = {
    runs: { type: 'string', default: '3' },
    load: { type: 'string', default: '3' },
    shuffle: { type: 'boolean', default: false },
    deep: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  }
  try {
    const { values, positionals } = parseArgs({ args: process.argv.slice(2), options, allowPositionals: true })
    const [runs, load] = [Number(values.runs), Number(values.load)]
    if (!(Number.isInteger(runs) && runs > 0))
      throw new Error(`--runs: is '${values.runs}'; must be a positive integer`)
    if (!(Number.isInteger(load) && load >= 0))
      throw new Error(`--load: is '${values.load}'; must be an integer of at least 0`)
    return { ...values, runs, load, given: positionals }
  } catch (error) {
    console.error(`${error.message}\n\n${HELP}`)
    process.exit(2)
  }
}

async function main({ runs: count, load, shuffle, deep, help, given }) {
  if (help) {
    console.log(HELP)
    return 0
  }
  const loop = [process.execPath, '--max-old-space-size=32', path.join(import.meta.dirname, 'busy-loop.mjs')]
  for (let started = 0; started < load; started++) start(loop, 'ignore')
  const runs = []
  while (runs.length < count) {
    const run = await runOnce({
      given: deep ? ['--deep', ...given] : given,
      seed: shuffle ? Math.floor(Math.random() * 1e9) : undefined,
    })
    if (stopped) return process.exitCode
    runs.push(run)
    console.log(describeRun(runs.length, run))
  }
  console.log(`\n${summarizeRuns(runs)}`)
  return runs.some(({ failures }) => failures.length > 0) ? 1 : 0
}

async function runOnce({ given, seed }) {
  const report = path.join(folder, 'report.json')
  rmSync(report, { force: true })
  const order = seed === undefined ? [] : ['--sequence.shuffle', `--sequence.seed=${seed}`]
  const reporters = ['--reporter=minimal', '--reporter=json', `--outputFile.json=${report}`]
  const tests = [process.execPath, path.join(root, 'tooling/test-run/run-tests.mjs')]
  const from = performance.now()
  const child = start([...tests, ...reporters, ...order, ...given], ['ignore', 'inherit', 'inherit'])
  let peakBytes = 0
  const timer = setInterval(() => (peakBytes = Math.max(peakBytes, measureMemory(child.pid))), SAMPLE_MS)
  await new Promise(resolve => child.once('close', resolve))
  clearInterval(timer)
  // Processes that the tests have left behind.
  send(child.pid, 'SIGKILL')
  return {
    seconds: (performance.now() - from) / 1_000,
    peakBytes,
    seed,
    failures: readFailures(readReport(report), root),
  }
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Starts a program in its own group, so that a signal reaches all that it starts. */
function start([program, ...args], stdio) {
  const child = spawn(program, args, { cwd: root, stdio, detached: true })
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

function send(pid, signal) {
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has ended.
  }
}

function stop(signal, code) {
  stopped = true
  process.exitCode = code
  for (const { pid } of running) send(pid, signal)
  setTimeout(() => process.exit(code), GRACE_MS).unref()
}

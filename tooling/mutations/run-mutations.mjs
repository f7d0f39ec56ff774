// Puts each fault of the list into the sources, one at a time, and runs the tests that must notice it.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { MUTATIONS } from './mutations.mjs'

const HELP = `Usage: pnpm mutations [--only NAME,…] [--list]

Puts each fault of tooling/mutations/list into the sources, one at a time, and runs the tests that must notice it. No file
is changed. Exits with 1 if the tests kill fewer than 85 % of the faults.

  --only NAME,…   runs only these faults
  --list          prints the names of all faults
  --help          prints this text`

/** Share of the faults that the tests must notice. */
const MIN_SCORE = 0.85
/** A fault can make a test wait forever. */
const TIMEOUT_MS = 120_000

const root = path.resolve(import.meta.dirname, '../..')
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
const folder = mkdtempSync(path.join(tmpdir(), 'parley-mutations-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))

process.exitCode = await main(readOptions())

function readOptions() {
  try {
    const options = { only: { type: 'string' }, list: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } }
    return parseArgs({ args: process.argv.slice(2), options }).values
  } catch (error) {
    console.error(`${error.message}\n\n${HELP}`)
    process.exit(2)
  }
}

async function main({ only, list, help }) {
  if (help) console.log(HELP)
  if (list) for (const { name } of MUTATIONS) console.log(name)
  if (help || list) return 0
  const names = only?.split(',') ?? MUTATIONS.map(({ name }) => name)
  const unknown = names.filter(name => !MUTATIONS.some(mutation => mutation.name === name))
  if (unknown.length > 0) {
    console.error(`Unknown: ${unknown.join(', ')}. --list prints the names.`)
    return 2
  }
  const chosen = MUTATIONS.filter(({ name }) => names.includes(name))
  return (await passWithout(chosen)) ? scoreOf(chosen) : 2
}

/** A fault counts as noticed if a test fails. So every test must pass without one. */
async function passWithout(chosen) {
  const { failed } = await run([...new Set(chosen.flatMap(({ tests }) => tests))])
  if (failed.length === 0) return true
  console.error(`These tests fail without a fault:\n${failed.map(name => `  ${name}`).join('\n')}`)
  return false
}

async function scoreOf(chosen) {
  let killed = 0
  let survived = 0
  for (const mutation of chosen) {
    if (mutation.equivalent !== undefined) {
      console.log(`equivalent  ${mutation.name}: ${mutation.equivalent}`)
      continue
    }
    const { failed, seen } = await run(mutation.tests, mutation)
    if (failed.length > 0) killed++
    else survived++
    if (failed.length > 0) console.log(`killed      ${mutation.name}: ${failed[0]}`)
    else console.log(`SURVIVED    ${mutation.name}${seen ? '' : ': its tests do not load the file'}`)
  }
  const total = killed + survived
  const score = total === 0 ? 1 : killed / total
  console.log(`\n${killed} of ${total} killed (${(score * 100).toFixed(1)} %; at least ${MIN_SCORE * 100} % required)`)
  return score < MIN_SCORE ? 1 : 0
}

/** Runs test files in their own process. @returns Names of the tests that failed, and whether the mutated file was loaded. */
async function run(tests, mutation) {
  const report = path.join(folder, 'report.json')
  const mark = path.join(folder, 'seen')
  for (const file of [report, mark]) rmSync(file, { force: true })
  const { name: _name, tests: _tests, ...change } = mutation ?? {}
  const env = { ...process.env, PARLEY_MUTATION_SEEN: mark }
  if (mutation !== undefined) env.PARLEY_MUTATION = JSON.stringify(change)
  const options = ['--config', path.join(import.meta.dirname, 'mutation.config.mjs')]
  // The first failure is enough for a mutation.
  const bail = mutation === undefined ? [] : ['--bail', '1']
  const args = [vitest, 'run', ...options, ...bail, '--reporter', 'json', '--outputFile', report, ...tests]
  const { timedOut, output } = await finished(spawn(process.execPath, args, { cwd: root, env }))
  if (timedOut) return { failed: [`no end within ${TIMEOUT_MS / 1_000} s`], seen: true }
  if (!existsSync(report)) throw new Error(`vitest wrote no report:\n${output}`)
  return { failed: failuresIn(JSON.parse(readFileSync(report, 'utf8'))), seen: existsSync(mark) }
}

async function finished(child) {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    child.kill('SIGKILL')
  }, TIMEOUT_MS)
  const stop = () => child.kill()
  process.on('exit', stop)
  await new Promise(resolve => child.on('close', resolve))
  process.off('exit', stop)
  clearTimeout(timer)
  return { timedOut, output }
}

/** A file that cannot be loaded has no tests, but a message. */
function failuresIn({ success, testResults }) {
  const failed = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter(test => test.status === 'failed').map(test => test.fullName)
    if (tests.length > 0 || status !== 'failed') return tests
    return [`${path.relative(root, name)}: ${String(message).split('\n')[0]}`]
  })
  return failed.length > 0 || success ? failed : ['an error outside the tests']
}

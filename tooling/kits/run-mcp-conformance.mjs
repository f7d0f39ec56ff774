// Runs the official MCP suite against our client and our server.   node tooling/kits/run-mcp-conformance.mjs [FILTER]
//
// Each scenario is a command of its own, once for each revision that it applies to. Only then does the suite count warnings, the exit code of the client and timeouts as failures.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPrograms, programs } from '@parley-tooling/runtimes/install-programs'

await installPrograms()
const SUITE = programs.resolve('@modelcontextprotocol/conformance/dist/index.js')
/**
 * The number of runs in this version of the suite. If the suite lists another number, our parser of its list is wrong.
 * Four of the client's runs test skills. They check nothing, because our client does not read skills.
 */
const RUNS = { client: 69, server: 114 }
const TIMEOUT_MS = 30_000
/**
 * Server scenarios of features that our server does not declare: extensions, tools that ask the client for input, and streams
 * that a tool closes during a call.
 */
const UNDECLARED =
  /^(tasks-|sep-2640-|tools-call-(sampling|elicitation)$|elicitation-|input-required-|server-sse-polling$)/

const [filter = ''] = process.argv.slice(2)
// The suite splits the command at spaces and does not support quotes, so the command contains only a relative path.
const here = path.relative(process.cwd(), import.meta.dirname)
const command = `node --conditions=@parley/source ${path.join(here, 'mcp-conformance-client.mjs')}`
const baseline = path.join(here, 'mcp-conformance-baseline.yml')
const env = {
  // Without the cache, each of several hundred processes strips the types of the sources again.
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url)),
  ...process.env,
  PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH ?? ''}`,
}

function runSuite(args) {
  return new Promise(resolve => {
    const options = { env, maxBuffer: 64 * 1024 * 1024, timeout: 2 * TIMEOUT_MS }
    execFile(process.execPath, [SUITE, ...args], options, (error, stdout, stderr) => {
      resolve({ passed: error === null, output: `${stdout}${stderr}` })
    })
  })
}

/** Lists the runs of `client` or `server` scenarios. */
async function listRuns(role) {
  const { output } = await runSuite(['list', `--${role}`])
  const runs = output.split('\n').flatMap(line => {
    const [, scenario, versions = ''] = /^\s+- (\S+) \[(.*)\]$/.exec(line) ?? []
    return scenario === undefined ? [] : versions.split(',').map(version => ({ role, scenario, version }))
  })
  if (runs.length === RUNS[role]) return runs
  console.error(
    `The suite lists ${runs.length} runs of ${role} scenarios instead of ${RUNS[role]}. Update RUNS or the parser of its list.`,
  )
  return process.exit(2)
}

async function openServer() {
  const args = ['--conditions=@parley/source', path.join(import.meta.dirname, 'mcp-conformance-server.mjs')]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [url] = await once(child.stdout.setEncoding('utf8'), 'data')
  process.once('exit', () => child.kill())
  return url.trim()
}

async function judge({ role, scenario, version }, url) {
  const at = version === 'extension' ? [] : ['--spec-version', version]
  const target =
    role === 'client'
      ? ['--command', command, '--timeout', String(TIMEOUT_MS)]
      : ['--url', url, '--expected-failures', baseline]
  const { passed, output } = await runSuite([role, ...target, '--scenario', scenario, ...at])
  if (passed) return true
  console.log(`FAIL ${role} ${scenario} ${version}\n${output.trim().replaceAll(/^/gm, '     ')}`)
  return false
}

async function runAll(role, url) {
  const started = performance.now()
  const declared = (await listRuns(role)).filter(({ scenario }) => role === 'client' || !UNDECLARED.test(scenario))
  const waiting = declared.filter(({ scenario, version }) => `${role} ${scenario} ${version}`.includes(filter))
  const total = waiting.length
  let passed = 0
  async function work() {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) if (await judge(next, url)) passed += 1
  }
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work))
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`${passed} of ${total} runs of ${role} scenarios passed, in ${seconds} s`)
  return { total, failed: total - passed }
}

const results = [await runAll('server', await openServer()), await runAll('client')]
const total = results.reduce((sum, result) => sum + result.total, 0)
const failed = results.reduce((sum, result) => sum + result.failed, 0)
process.exit(failed === 0 && total > 0 ? 0 : 1)

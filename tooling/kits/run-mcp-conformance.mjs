// Runs the official MCP suite against our client.   node tooling/kits/run-mcp-conformance.mjs [FILTER]
//
// Each client scenario is a command of its own, once for each revision that it applies to. Only then does the suite count warnings, the exit code of the client and timeouts as failures.
import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const SUITE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))
/**
 * The number of runs in this version of the suite. If the suite lists another number, our parser of its list is wrong.
 * Four of the runs test skills. They check nothing, because our client does not read skills.
 */
const RUNS = 69
const TIMEOUT_MS = 30_000

const [filter = ''] = process.argv.slice(2)
// The suite splits the command at spaces and does not support quotes, so the command contains only a relative path.
const here = path.relative(process.cwd(), import.meta.dirname)
const command = `node --conditions=@parley/source ${path.join(here, 'mcp-conformance-client.mjs')}`
const env = { ...process.env, PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH ?? ''}` }

function runSuite(args) {
  return new Promise(resolve => {
    const options = { env, maxBuffer: 64 * 1024 * 1024, timeout: 2 * TIMEOUT_MS }
    execFile(process.execPath, [SUITE, ...args], options, (error, stdout, stderr) => {
      resolve({ passed: error === null, output: `${stdout}${stderr}` })
    })
  })
}

async function listRuns() {
  const { output } = await runSuite(['list', '--client'])
  return output.split('\n').flatMap(line => {
    const [, scenario, versions = ''] = /^\s+- (\S+) \[(.*)\]$/.exec(line) ?? []
    return scenario === undefined ? [] : versions.split(',').map(version => ({ scenario, version }))
  })
}

async function judge({ scenario, version }) {
  const at = version === 'extension' ? [] : ['--spec-version', version]
  const args = ['client', '--command', command, '--scenario', scenario, '--timeout', String(TIMEOUT_MS), ...at]
  const { passed, output } = await runSuite(args)
  if (passed) return true
  console.log(`FAIL ${scenario} ${version}\n${output.trim().replaceAll(/^/gm, '     ')}`)
  return false
}

const started = performance.now()
const runs = await listRuns()
if (runs.length !== RUNS) {
  console.error(
    `The suite lists ${runs.length} runs of client scenarios instead of ${RUNS}. Update RUNS or the parser of its list.`,
  )
  process.exit(2)
}
const waiting = runs.filter(({ scenario, version }) => `${scenario} ${version}`.includes(filter))
const total = waiting.length
let passed = 0
async function work() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) if (await judge(next)) passed += 1
}
await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work))
const seconds = Math.round((performance.now() - started) / 1000)
console.log(`${passed} of ${total} runs of client scenarios passed, in ${seconds} s`)
process.exit(passed === total && total > 0 ? 0 : 1)

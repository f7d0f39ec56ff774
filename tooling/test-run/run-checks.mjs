// Runs the checks of this repository, as many at the same time as there are cores. Prints the output of each one that fails.
import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import path from 'node:path'

// The long ones come first, so that no core waits for them at the end.
const CHECKS = {
  types: 'tsc --noEmit',
  lint: 'oxlint --type-aware --deny-warnings',
  'unused code': 'knip --no-config-hints',
  boundaries: 'boundaries',
  prose: 'prose',
  snippets: 'snippets --check',
  format: 'oxfmt --check .',
}

const root = path.join(import.meta.dirname, '../..')
const PATH = [path.join(root, 'node_modules/.bin'), path.dirname(process.execPath), process.env.PATH].join(path.delimiter)
// Each check strips the types of its sources once, and not in each run.
const env = { NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/compile'), ...process.env, PATH }

function runCheck(command) {
  return new Promise(resolve => {
    const options = { cwd: root, env, shell: true, maxBuffer: 64 * 1024 * 1024 }
    execFile(command, options, (error, stdout, stderr) => resolve({ passed: error === null, output: `${stdout}${stderr}` }))
  })
}

const waiting = Object.entries(CHECKS)
const failed = []
async function work() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, command] = next
    const started = performance.now()
    const { passed, output } = await runCheck(command)
    console.log(`${passed ? 'ok  ' : 'FAIL'} ${name} (${Math.round((performance.now() - started) / 1000)} s)`)
    if (!passed) failed.push({ name, command, output })
  }
}
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work))
for (const { name, command, output } of failed) console.log(`\n== ${name}: ${command}\n${output.trim()}`)
process.exitCode = failed.length === 0 ? 0 : 1

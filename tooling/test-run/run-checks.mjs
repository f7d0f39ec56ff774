// Runs the scripts of package.json that begin with `check:`, as many at the same time as there are cores. Prints the output of
// each one that fails.
import { exec } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'

const root = path.join(import.meta.dirname, '../..')
const PATH = [path.join(root, 'node_modules/.bin'), path.dirname(process.execPath), process.env.PATH].join(
  path.delimiter,
)
// Each check strips the types of its sources once, and not in each run.
const env = { NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/compile'), ...process.env, PATH }

function runCheck(command) {
  return new Promise(resolve => {
    const options = { cwd: root, env, maxBuffer: 64 * 1024 * 1024 }
    exec(command, options, (error, stdout, stderr) => resolve({ passed: error === null, output: `${stdout}${stderr}` }))
  })
}

const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
// The long ones come first there, so that no core waits for them at the end.
const waiting = Object.entries(scripts).filter(([name]) => name.startsWith('check:'))
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

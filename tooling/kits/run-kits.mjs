// Runs the conformance kits of a folder against Parley's sources.   node tooling/kits/run-kits.mjs DIR
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { APIS } from './providers-adapter.mjs'

const [dir] = process.argv.slice(2)
if (dir === undefined || !existsSync(dir)) {
  console.error(dir === undefined ? 'Usage: run-kits.mjs DIR' : `There is no folder of kits at ${dir}.`)
  process.exit(2)
}
const kits = path.resolve(dir)
const here = import.meta.dirname

/** The kits, each with its runner and arguments. The runner is a file of the kit or of this folder. */
const RUNS = [
  ...['providers-adapter.mjs', 'providers-undici-adapter.mjs'].map(adapter => ({
    name: 'providers',
    runner: 'providers/run-corpus.mjs',
    args: ['--adapter', path.join(here, adapter), '--providers', APIS.join(','), '--faults', 'all'],
  })),
  { name: 'agent-api', runner: path.join(here, 'agent-api-check.mjs'), args: [path.join(kits, 'agent-api')] },
  ...['vectors-given.json', 'seed-vectors.json'].map(vectors => ({
    name: 'prompty',
    runner: 'prompty/run-vectors.mjs',
    args: ['--adapter', path.join(here, 'prompty-adapter.mjs'), '--vectors', path.join(kits, 'prompty', vectors)],
  })),
]

let failures = 0
for (const { name, runner, args } of RUNS) {
  const file = path.resolve(kits, runner)
  if (!existsSync(file) || !existsSync(path.join(kits, name))) {
    console.log(`${name}: skipped, because the folder has no such kit`)
    continue
  }
  console.log(
    `-- ${[name, ...args.filter(arg => /\.json$|undici/.test(arg)).map(arg => path.basename(arg))].join(', ')}`,
  )
  const { status } = spawnSync(process.execPath, ['--conditions=@parley/source', file, ...args], { stdio: 'inherit' })
  if (status !== 0) failures++
}
process.exit(failures === 0 ? 0 : 1)

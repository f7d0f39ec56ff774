// Runs workloads of the bench kit on Parley and its peers, interleaved in one run.
//   pnpm bench [--workload W1,W5] [--adapters raw,pi,parley] [--reps 7] [--kit DIR]
//   pnpm bench tricks [--only NAME,NAME] [--reps 9]
//   pnpm bench report | compare [--only W8,W9] [--scale full|small] [--reps 3]
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'

const here = import.meta.dirname
if (['report', 'compare'].includes(process.argv[2])) {
  const args = ['--conditions=@parley/source', path.join(here, 'report.mjs'), ...process.argv.slice(2)]
  process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1)
}
if (process.argv[2] === 'tricks') {
  const args = [path.join(here, 'tricks.mjs'), ...process.argv.slice(3)]
  process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1)
}
const { values } = parseArgs({
  options: {
    workload: { type: 'string', default: 'W1,W5' },
    adapters: { type: 'string' },
    reps: { type: 'string', default: '7' },
    kit: { type: 'string', default: process.env.PARLEY_BENCH_KIT ?? path.join(here, '../../shared/kits/bench') },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(`pnpm bench [--workload W1,W5] [--adapters raw,pi,parley] [--reps 7] [--kit DIR]
pnpm bench tricks [--only NAME,NAME] [--reps 9]   measures the sources with and without each performance trick`)
  process.exit(0)
}
if (!existsSync(path.join(values.kit, 'run.mjs'))) {
  console.error(`There is no bench kit at ${values.kit}. Name its folder with --kit.`)
  process.exit(2)
}

const work = path.join(here, 'peers', 'kit')
mkdirSync(path.join(work, 'data'), { recursive: true })
cpSync(values.kit, work, { recursive: true, filter: source => !source.includes('node_modules') })
cpSync(path.join(here, 'adapters'), path.join(work, 'adapters'), { recursive: true })
const env = { ...process.env, BENCH_PEERS: path.join(here, 'peers'), PARLEY_ROOT: path.join(here, '..') }
const node = args => spawnSync(process.execPath, args, { cwd: work, env, stdio: 'inherit' }).status ?? 1

const DEFAULTS = { W5: 'node,raw,pi,parley', W6: 'raw-sqlite,parley', W2: 'raw,raw-undici,pi,parley,parley-undici' }
let status = 0
for (const workload of values.workload.split(',')) {
  const adapters = values.adapters ?? DEFAULTS[workload] ?? 'raw,pi,parley'
  const peers = [
    adapters.includes('pi') && 'pi',
    adapters.includes('raw-undici') && 'undici',
    adapters.includes('sqlite') && 'sqlite',
  ]
  for (const peer of peers) {
    if (peer && !existsSync(path.join(here, 'peers', peer, 'node_modules'))) status ||= node(['setup.mjs', peer])
  }
  const out = path.join(here, 'results', `${workload}.json`)
  mkdirSync(path.dirname(out), { recursive: true })
  status ||= node(['run.mjs', '--workload', workload, '--adapters', adapters, '--reps', values.reps, '--out', out])
}
process.exit(status)

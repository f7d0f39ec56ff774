// Proves each performance trick: measures the sources with it and without it, interleaved, each time in a fresh process.
//   pnpm bench tricks [--only NAME,NAME] [--reps 9]
// Exits with 1 if the sources are not measurably worse without a trick: then the trick should be removed.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { TRICKS } from './tricks/catalogue.mjs'
import { METRICS } from './tricks/metrics.mjs'

/** Counters of bytes vary by less than 0.1 %, so three measurements of each side are enough. */
const COUNTER_REPS = 3
/** Share of the pairs in which the measurement without the trick must be worse. */
const LEAST_SHARE = 0.8
/** A large young generation: no collection falls into a round by chance. */
const NODE = ['--conditions=@parley/source', '--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64']
const HELP = `pnpm bench tricks [--only NAME,NAME] [--reps 9]
  --only NAME,NAME  measures these tricks instead of all
  --reps N          processes for each side of a time; a counter needs ${COUNTER_REPS}`

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    reps: { type: 'string', default: '9' },
    help: { type: 'boolean', default: false },
  },
})

function measure(trick, without) {
  const job = JSON.stringify({ trick: trick.name, without })
  const args = [...NODE, path.join(import.meta.dirname, 'tricks/worker.mjs'), job]
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
  const [, value] = stdout.split('@@')
  if (status !== 0 || value === undefined) throw new Error(`${trick.name} failed:\n${stderr}`)
  return Number(value)
}

/** Measures pairs: both sides one after the other, because other load on the machine changes slowly. */
function compare(trick) {
  const reps = METRICS[trick.metric].isTime ? Number(values.reps) : COUNTER_REPS
  const kept = []
  const undone = []
  for (let rep = 0; rep < reps; rep++) {
    for (const without of rep % 2 === 0 ? [false, true] : [true, false]) {
      const side = without ? undone : kept
      side.push(measure(trick, without))
    }
  }
  const ratios = kept.map((before, rep) => undone[rep] / before)
  const worse = ratios.filter(ratio => ratio > 1).length
  return { kept: median(kept), undone: median(undone), ratio: median(ratios), share: worse / reps }
}

function median(list) {
  const sorted = list.toSorted((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}

function format(value) {
  return value.toFixed(value < 10 ? 3 : value < 1_000 ? 1 : 0)
}

function row(cells) {
  const [name, kept, undone, unit, ratio, share, verdict] = cells
  const columns = [name.padEnd(20), kept.padStart(8), undone.padStart(8), unit.padEnd(19), ratio.padStart(6)]
  return [...columns, share.padStart(6), verdict].join('  ')
}

function run() {
  const only = values.only?.split(',')
  const unknown = only?.find(name => !TRICKS.some(trick => trick.name === name))
  if (unknown !== undefined) throw new Error(`The trick '${unknown}' is unknown.`)
  let drops = 0
  console.log(row(['trick', 'with', 'without', '', 'ratio', 'worse', '']))
  for (const trick of TRICKS) {
    if (only !== undefined && !only.includes(trick.name)) continue
    const { kept, undone, ratio, share } = compare(trick)
    const keeps = share >= LEAST_SHARE
    drops += Number(!keeps)
    const numbers = [format(kept), format(undone), METRICS[trick.metric].unit, ratio.toFixed(3)]
    console.log(row([trick.name, ...numbers, `${(share * 100).toFixed(0)} %`, keeps ? 'keeps' : 'drop']))
  }
  return drops
}

if (values.help) console.log(HELP)
else process.exitCode = run() === 0 ? 0 : 1

// Kills workers and databases while they drive runs, and checks that no promise of the product is broken.
import { parseArgs } from 'node:util'
import { runStorm } from './src/chaos/run-storm.ts'

const HELP = `Usage: pnpm chaos [--kills N] [--seed S] [--store sqlite|postgres] [--workers N]

Several processes drive runs of many kinds while workers are killed and frozen and the database crashes. Exits with 1 if
a promise of the product is broken.

  --kills N     workers to kill (default 100)
  --seed S      chooses runs, victims and pauses (default: the time); the order of the processes differs in each run
  --store NAME  sqlite or postgres (default: both, one after the other)
  --workers N   processes at the same time (default 4)
  --help        prints this text`

process.exitCode = await main()

async function main() {
  const options = readOptions()
  if (options === undefined) return 2
  if (options.help) return console.log(HELP)
  let faults = 0
  for (const store of options.stores) {
    console.log(`${store}, seed ${options.seed}, ${options.kills} kills`)
    const onProgress = line => console.log(`  ${line}`)
    const report = await runStorm({ ...options, store, onProgress })
    print(report)
    faults += report.faults.length
  }
  return faults === 0 ? 0 : 1
}

function readOptions() {
  try {
    const string = { type: 'string' }
    const options = {
      kills: string,
      seed: string,
      store: string,
      workers: string,
      help: { type: 'boolean', short: 'h' },
    }
    const { values } = parseArgs({ args: process.argv.slice(2), options })
    const numberOf = (name, fallback) => {
      const value = Number(values[name] ?? fallback)
      if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a whole number above 0`)
      return value
    }
    const { store, help } = values
    if (store !== undefined && store !== 'sqlite' && store !== 'postgres')
      throw new Error('--store must be sqlite or postgres')
    const stores = store === undefined ? ['sqlite', 'postgres'] : [store]
    return {
      help,
      stores,
      kills: numberOf('kills', 100),
      seed: numberOf('seed', Date.now() % 1e6),
      workers: numberOf('workers', 4),
    }
  } catch (error) {
    console.error(`${error.message}\n\n${HELP}`)
    return undefined
  }
}

function print(report) {
  const { faults, endings, folder } = report
  const figures = [
    ['runs started', report.started],
    ['runs in the store, with child runs', report.runs],
    ['commands sent', report.commands],
    ['effects of tools', report.effects],
    ['calls whose outcome a crash hid', report.interrupted],
    ['workers killed', report.kills],
    ['workers killed by poison runs', report.poisoned],
    ['workers frozen beyond their lease', report.zombies],
    ['crashes of the database', report.databaseCrashes],
    ['connections terminated', report.terminated],
    ['seconds', report.seconds],
  ]
  for (const [name, value] of figures) console.log(`  ${name.padEnd(36)}${value}`)
  console.log('\n  how runs ended')
  for (const [ending, count] of [...endings].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`    ${ending.padEnd(60)}${count}`)
  console.log(`\n  faults: ${faults.length}`)
  for (const fault of faults.slice(0, 40)) console.log(`    ${fault}`)
  if (faults.length > 0) console.log(`  kept: ${folder}`)
}

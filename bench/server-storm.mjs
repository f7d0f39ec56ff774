// Kills servers while clients read streams from them, and checks that no promise is broken.
//   node --conditions=@parley/source bench/server-storm.mjs [--kills 200] [--streams 60]
// Exits with 1 if a run is lost, a payment is made twice, or a client gets no terminal event.
import { parseArgs } from 'node:util'
import { runServerStorm } from '../apps/server/src/__fixtures__/server-storm.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    streams: { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log('node --conditions=@parley/source bench/server-storm.mjs [--kills 200] [--streams 60]')
  process.exit(0)
}
const [kills, streams] = [Number(values.kills), Number(values.streams)]
const { faults, folder, ...figures } = await runServerStorm({
  kills,
  streams,
  random: Math.random,
  onProgress: console.log,
})
console.log(figures)
for (const fault of faults.slice(0, 40)) console.log(fault)
if (faults.length > 0) console.log(`kept: ${folder}`)
process.exitCode = faults.length === 0 ? 0 : 1

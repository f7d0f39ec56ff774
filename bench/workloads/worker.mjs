// Takes one measurement in a fresh process and prints it.
//   node --conditions=@parley/source worker.mjs '{"workload":"W8","side":"parley","point":8,"scale":"small","shared":null}'
import { WORKLOADS } from './catalogue.mjs'

const { workload: name, side, point, scale, shared } = JSON.parse(process.argv[2])
const workload = WORKLOADS.find(each => each.name === name)
const values = await workload.sides[side]({ point, scale: workload.scales[scale], shared })
process.stdout.write(`@@${JSON.stringify(values ?? null)}\n`, () => process.exit(0))

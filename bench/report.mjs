// Measures the workloads and writes the page of figures, or compares a new measurement with the last report.
//   pnpm bench report [--only W8,W9] [--scale full] [--reps 3]    writes bench/report/SCALE/NAME.json, docs/operate/figures.md and its pictures
//   pnpm bench compare [--only W8,W9] [--scale small] [--reps 3]  exits with 1 if a ratio is more than 15 % worse than in the last report
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { writePage } from './report/write-page.mjs'
import { WORKLOADS } from './workloads/catalogue.mjs'
import { measureWorkload } from './workloads/measure-workload.mjs'

/** How much worse a ratio may be than in the last report. */
const TOLERANCE = 0.15
const root = path.join(import.meta.dirname, '..')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    scale: { type: 'string' },
    reps: { type: 'string', default: '3' },
    page: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const [command] = positionals
const scale = values.scale ?? (command === 'compare' ? 'small' : 'full')
const HELP = `pnpm bench report [--only W8,W9] [--scale full|small] [--reps 3] [--page]
pnpm bench compare [--only W8,W9] [--scale full|small] [--reps 3]
  --page  writes the page from the last measurements, and measures nothing`

const fileOf = name => path.join(import.meta.dirname, 'report', scale, `${name}.json`)

function chosen() {
  const only = values.only?.split(',')
  const unknown = only?.find(name => !WORKLOADS.some(workload => workload.name === name))
  if (unknown !== undefined) throw new Error(`The workload '${unknown}' is unknown.`)
  return WORKLOADS.filter(({ name }) => only === undefined || only.includes(name))
}

function measure(workload) {
  console.log(`${workload.name}: ${workload.title}`)
  return measureWorkload(workload, { scale, reps: Number(values.reps), log: line => console.log(`  ${line}`) })
}

function showLine({ name, value, atMost, atLeast, holds }) {
  const bound = atMost === undefined ? (atLeast === undefined ? '' : `≥ ${atLeast}`) : `≤ ${atMost}`
  console.log(`  ${holds ? 'holds ' : 'MISSES'} ${name}: ${value.toFixed(3)} ${bound}`)
}

async function report() {
  for (const workload of values.page ? [] : chosen()) {
    const result = await measure(workload)
    for (const line of result.lines) showLine(line)
    mkdirSync(path.dirname(fileOf(workload.name)), { recursive: true })
    writeFileSync(fileOf(workload.name), `${JSON.stringify(result, undefined, 2)}\n`)
  }
  if (scale === 'full') writePage(root)
  return true
}

/** How many times worse the new value is. */
function worsening({ atLeast }, before, now) {
  return atLeast === undefined ? now / before : before / now
}

async function compare() {
  let ok = true
  for (const workload of chosen()) {
    if (!existsSync(fileOf(workload.name))) {
      console.log(`${workload.name}: there is no earlier report`)
      continue
    }
    const before = JSON.parse(readFileSync(fileOf(workload.name), 'utf8'))
    const now = await measure(workload)
    for (const line of now.lines) {
      const earlier = before.lines.find(each => each.name === line.name)
      if (earlier === undefined || !line.compared) continue
      const factor = worsening(line, earlier.value, line.value)
      const fails = !(factor <= 1 + TOLERANCE)
      ok &&= !fails
      const change = `${earlier.value.toFixed(3)} → ${line.value.toFixed(3)}, ${factor.toFixed(2)} times as bad`
      console.log(`  ${fails ? 'WORSE ' : 'as before'} ${line.name}: ${change}`)
    }
  }
  return ok
}

if (values.help || !['report', 'compare'].includes(command)) console.log(HELP)
else process.exitCode = (await (command === 'report' ? report() : compare())) ? 0 : 1

import { execFile } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { median } from './workload.mjs'

const NODE = ['--conditions=@parley/source', '--expose-gc']
const LONGEST_MS = 600_000

/**
 * Measures all sides of a workload at all points, interleaved.
 * @param {import('./workload.mjs').Workload} workload
 * @returns The result as JSON: what `report.mjs` writes and compares.
 */
export async function measureWorkload(workload, { scale, reps, log = () => {} }) {
  const { points } = workload.scales[scale]
  const shared = await workload.open?.(workload.scales[scale])
  const measurements = []
  try {
    for (const { rep, side, point } of order(workload, { points, reps })) {
      const values = await measureOnce({ workload: workload.name, side, point, scale, shared: shared?.value ?? null })
      if (values === null) continue
      measurements.push({ rep, side, point, values })
      log(`${workload.name} ${side} ${point}: ${JSON.stringify(values)}`)
    }
  } finally {
    await shared?.[Symbol.asyncDispose]()
  }
  const { name, title, limit, axis, curves } = workload
  const machine = {
    cpu: cpus()[0].model.trim(),
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1e9),
    node: process.version,
  }
  const lines = workload.lines.map(line => judge(line, { measurements, reps, points }))
  const date = new Date().toISOString().slice(0, 10)
  return { name, title, limit, axis, curves, scale, reps, machine, date, points, medians: medians(measurements), lines }
}

/** Every second repetition goes through the sides in the opposite order. */
function order({ sides }, { points, reps }) {
  const names = Object.keys(sides)
  return Array.from({ length: reps }, (_, rep) => rep).flatMap(rep =>
    points.flatMap(point => (rep % 2 === 0 ? names : names.toReversed()).map(side => ({ rep, side, point }))),
  )
}

async function measureOnce(job) {
  const file = path.join(import.meta.dirname, 'worker.mjs')
  const env = { ...process.env, NODE_ENV: 'production' }
  const options = { env, maxBuffer: 64e6, timeout: LONGEST_MS, encoding: 'utf8' }
  const { stdout } = await promisify(execFile)(process.execPath, [...NODE, file, JSON.stringify(job)], options)
  return JSON.parse(stdout.split('@@')[1])
}

/** Computes a line in each repetition, and takes the median of the repetitions. */
function judge({ name, value, atMost, atLeast, compared = true }, { measurements, reps, points }) {
  const values = Array.from({ length: reps }, (_, rep) =>
    value((side, metric, point = points.at(-1)) => {
      const found = measurements.find(each => each.rep === rep && each.side === side && each.point === point)
      return found?.values[metric] ?? Number.NaN
    }),
  )
  const measured = median(values)
  const holds = !(measured > (atMost ?? Infinity)) && !(measured < (atLeast ?? -Infinity)) && !Number.isNaN(measured)
  return { name, value: measured, values, atMost, atLeast, compared, holds }
}

/** The median of each value, by side and point. */
function medians(measurements) {
  const bySide = {}
  for (const { side, point, values } of measurements) {
    const kept = ((bySide[side] ??= {})[point] ??= {})
    for (const [metric, value] of Object.entries(values)) (kept[metric] ??= []).push(value)
  }
  for (const byPoint of Object.values(bySide))
    for (const metrics of Object.values(byPoint))
      for (const [metric, values] of Object.entries(metrics)) metrics[metric] = median(values)
  return bySide
}

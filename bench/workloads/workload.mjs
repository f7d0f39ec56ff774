/**
 * One workload. A file per workload exports one, and `catalogue.mjs` lists it.
 *
 * Every measurement runs in a new process. Within a repetition all sides and points are measured one after the other, so that other
 * load of the machine meets all of them. A line is computed inside each repetition; the report shows the median over the repetitions.
 *
 * @typedef {object} Workload
 * @property {string} name  For example `W8`.
 * @property {string} title  What is measured, as a heading.
 * @property {string} limit  What the side `limit` does: the least work that gives the user the same.
 * @property {string} axis  What a point counts, for example `worker processes`.
 * @property {{ full: Scale, small: Scale }} scales  `small` ends within a minute and is what CI compares.
 * @property {Record<string, Measure>} sides  `parley`, `limit`, and peers. A side that returns `undefined` is left out at this point.
 * @property {Curve[]} curves  What the report draws.
 * @property {Line[]} lines  What must hold.
 * @property {(scale: Scale) => Promise<Shared>} [open]  Starts what all measurements share, for example a database server.
 *
 * @typedef {{ points: number[] } & Record<string, unknown>} Scale
 * @typedef {(input: { point: number, scale: Scale, shared: any }) => Promise<Record<string, number> | undefined>} Measure
 * @typedef {{ metric: string, label: string }} Curve
 * @typedef {{ value: unknown, [Symbol.asyncDispose](): Promise<void> }} Shared  `value` must be JSON.
 *
 * @typedef {object} Line
 * @property {string} name  What is compared, for example `runs/s ÷ limit`.
 * @property {(read: Read) => number} value
 * @property {number} [atMost]
 * @property {number} [atLeast]
 * @property {boolean} [compared]  False if the value depends on the machine, for example a time. @default true
 *
 * @typedef {(side: string, metric: string, point?: number) => number} Read  `point` is the last point by default.
 */

/** Calls `work` from `clients` loops at the same time for `seconds`. @returns Calls per second, and the times of calls. */
export async function loadFor(seconds, clients, work) {
  const times = []
  const from = performance.now()
  const until = from + seconds * 1_000
  let count = 0
  async function loop(client) {
    while (performance.now() < until) {
      const startedAt = performance.now()
      await work(client, count++)
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => loop(client)))
  const took = (performance.now() - from) / 1_000
  return { perSecond: times.length / took, p50: quantile(times, 0.5), p99: quantile(times, 0.99), times }
}

/** Starts `work` at a fixed rate, whether earlier calls have ended or not. @returns The times from the due start of each call. */
export async function loadAtRate(seconds, perSecond, work) {
  const times = []
  const pending = new Set()
  const from = performance.now()
  const total = Math.floor(seconds * perSecond)
  for (let index = 0; index < total; index++) {
    const due = from + (index / perSecond) * 1_000
    const wait = due - performance.now()
    if (wait > 1) await new Promise(resolve => setTimeout(resolve, wait))
    const call = work(index).then(() => {
      times.push(performance.now() - due)
      pending.delete(call)
    })
    pending.add(call)
  }
  await Promise.all(pending)
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}

/** Returns the value below which `share` of the values lie. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

/** Returns the median. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}

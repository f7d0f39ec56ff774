import { openDatabases } from './large-store/open-databases.mjs'
import { measureStore } from './large-store/measure-store.mjs'

/** What each operation costs on a store that has grown: each run has 21 entries in ten appends, and eight words of a preview. */
export const largeStore = {
  name: 'W10',
  title: 'Stores that have grown',
  limit: 'the same store with one run',
  axis: 'runs in the store',
  scales: {
    full: { points: [1, 1_000_000], written: 300, claimed: 900, pruned: 5_000 },
    small: { points: [1, 20_000], written: 200, claimed: 400, pruned: 1_000 },
  },
  open: openDatabases,
  sides: { sqlite: input => measureStore('sqlite', input), postgres: input => measureStore('postgres', input) },
  curves: [
    { metric: 'appendUs', label: 'an append, µs' },
    { metric: 'listP99Ms', label: 'a list of runs, p99 in ms' },
  ],
  lines: ['sqlite', 'postgres'].flatMap(side => [
    { name: `${side}: append ÷ empty`, value: read => read(side, 'appendToEmpty'), atMost: 1.3 },
    // The medians are compared: a checkpoint of the log comes once in hundreds of claims, and would decide the ratio of the means.
    { name: `${side}: claim ÷ empty`, value: read => read(side, 'claimP50ToEmpty'), atMost: 1.3 },
    { name: `${side}: list p99 in ms`, value: read => read(side, 'listP99Ms'), atMost: 20, compared: false },
    { name: `${side}: GET /runs p99 in ms`, value: read => read(side, 'httpP99Ms'), atMost: 20, compared: false },
    {
      name: `${side}: longest append during prune in ms`,
      value: read => read(side, 'appendMaxWhilePruningMs'),
      atMost: 250,
      compared: false,
    },
  ]),
}

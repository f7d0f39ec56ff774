import { createId, systemClock, type Model, type Store } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'

/** Turns of each measured run. */
const TURNS = 10
/** The measured runs have a scope of their own, so that lists of other runs do not show them. */
export const BENCH_SCOPE = 'parley-bench'

export interface MeasureOptions {
  /** Milliseconds of each measurement. */
  readonly ms: number
  /** Number of runs at the same time. */
  readonly concurrent: number
}

/** What a store carries on this machine, with this process alone. */
export interface StoreFigures {
  readonly turnsPerSecond: number
  readonly appendP50Ms: number
  readonly appendP99Ms: number
  readonly claimsPerSecond: number
}

/**
 * Measures a store: runs whose model and tool take no time, and claims of one run. Removes its runs at the end, if the store can remove
 * runs.
 */
export async function measureStore(store: Store, { ms, concurrent }: MeasureOptions): Promise<StoreFigures> {
  const times: number[] = []
  const timed: Store = {
    ...store,
    async append(append, options) {
      const from = performance.now()
      await store.append(append, options)
      times.push(performance.now() - from)
    },
  }
  const runtime = createRuntime({ store: timed, agents: [benchAgent()] })
  try {
    const drive = async (): Promise<void> => {
      // Throws unless the run completed.
      await runtime.invoke('bench', 'go', { scope: BENCH_SCOPE })
    }
    // The first runs load modules and compile code.
    await Promise.all(Array.from({ length: concurrent }, drive))
    times.length = 0
    const runs = await countFor(ms, concurrent, drive)
    return {
      turnsPerSecond: runs.perSecond * TURNS,
      appendP50Ms: quantile(times, 0.5),
      appendP99Ms: quantile(times, 0.99),
      claimsPerSecond: await measureClaims(store, ms),
    }
  } finally {
    await runtime.close()
    await store.prune?.({ scope: BENCH_SCOPE, before: systemClock.now() + 1 })
  }
}

async function measureClaims(store: Store, ms: number): Promise<number> {
  const [run] = await store.runs({ scope: BENCH_SCOPE, limit: 1 })
  if (run === undefined) throw new Error('the store has lost the measured runs')
  const worker = createId(systemClock.now())
  const { perSecond } = await countFor(ms, 1, async () => {
    await store.claim({ runId: run.runId, worker, at: systemClock.now(), force: true })
  })
  return perSecond
}

/** Calls `work` in several loops for a time. */
async function countFor(ms: number, loops: number, work: () => Promise<void>): Promise<{ readonly perSecond: number }> {
  const from = performance.now()
  let count = 0
  async function loop(): Promise<void> {
    while (performance.now() - from < ms) {
      await work()
      count += 1
    }
  }
  await Promise.all(Array.from({ length: loops }, loop))
  return { perSecond: count / ((performance.now() - from) / 1_000) }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** An agent that calls a tool in each turn but the last. Neither its model nor its tool takes time. */
function benchAgent() {
  const model: Model = {
    provider: 'bench',
    id: 'script',
    info: { contextWindow: 10_000_000 },
    async *stream({ messages }) {
      const turn = messages.filter(({ role }) => role === 'assistant').length
      const isLast = turn >= TURNS - 1
      if (isLast) yield { type: 'text.delta', text: 'The sum is three.' }
      else yield { type: 'tool-call', callId: `call_${turn}`, name: 'add', arguments: '{"a":1,"b":2}' }
      yield { type: 'usage', usage: { input: 100, output: 20, reasoning: 0, cacheRead: 0, cacheWrite: 0 } }
      yield { type: 'finish', reason: isLast ? 'stop' : 'tool-calls' }
    },
  }
  const add = {
    name: 'add',
    description: 'Adds two integers.',
    input: { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } },
    execute: ({ a, b }: { readonly a: number; readonly b: number }) => a + b,
  } as const
  return defineAgent({ name: 'bench', model, tools: [add] })
}

import { Worker } from 'node:worker_threads'
import type { Workspace } from '../workspace/workspace.ts'
import type { GrepCounts, GrepReply, GrepRequest } from './grep-request.ts'

/** Options of the tools `find` and `grep`. */
export interface SearchToolOptions {
  readonly workspace: Workspace
  /** Milliseconds after which a search stops and reports what it has found. */
  readonly timeLimitMs: number
}

export interface GrepReport {
  readonly lines: readonly string[]
  readonly counts: GrepCounts
  /** Why the search stopped early. `undefined` if it is complete. */
  readonly stopped: 'matches' | 'output' | 'time' | 'memory' | undefined
}

export interface RunGrepOptions {
  readonly timeLimitMs: number
  readonly signal: AbortSignal
}

const NOTHING: GrepCounts = { matches: 0, files: 0, binary: 0, refused: 0, longLines: 0 }

/**
 * Runs a search in its own worker thread. A JavaScript regular expression can take time exponential in the length of a
 * line, and only terminating its thread interrupts it.
 */
export async function runGrep(request: GrepRequest, { timeLimitMs, signal }: RunGrepOptions): Promise<GrepReport> {
  signal.throwIfAborted()
  const worker = startWorker(request)
  const lines: string[] = []
  let counts = NOTHING
  const { promise, resolve, reject } = Promise.withResolvers<GrepReport>()
  const timer = setTimeout(() => resolve({ lines, counts, stopped: 'time' }), timeLimitMs)
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  worker.on('message', (reply: GrepReply) => {
    counts = reply.counts
    if (reply.type === 'hits') lines.push(...reply.lines)
    else resolve({ lines, counts, stopped: reply.stopped })
  })
  worker.on('error', error => {
    const outOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    if (outOfMemory) resolve({ lines, counts, stopped: 'memory' })
    else reject(error)
  })
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    await worker.terminate()
  }
}

function startWorker(workerData: GrepRequest): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: 256 }
  // The worker's file lies beside this file, both in the sources and in the published package.
  const source = import.meta.url.endsWith('.ts')
  return new Worker(new URL(source ? './grep-worker.ts' : './grep-worker.js', import.meta.url), {
    workerData,
    resourceLimits,
    execArgv: [],
  })
}

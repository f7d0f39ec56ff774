import { Worker } from 'node:worker_threads'
import type { AppendReply, AppendRequest, AppendStatement, AppendTarget } from './append-statement.ts'

/** Writes appends in a thread with a connection of its own. The thread starts with the first append. */
export interface AppendThread {
  /**
   * Executes statements in one transaction. The thread takes over the bytes among their values.
   * @returns Whether the transaction is durable. False if a statement changed no row, or if the thread cannot work.
   * @throws the error of SQLite, with its `code`.
   */
  write(statements: readonly AppendStatement[]): Promise<boolean>
  /** Waits for the pending transactions and ends the thread. */
  close(): Promise<void>
}

interface Pending {
  readonly resolve: (written: boolean) => void
  readonly reject: (error: Error) => void
}

/** Creates the thread's other side. */
export function openAppendThread(target: AppendTarget): AppendThread {
  const pending = new Map<number, Pending>()
  let worker: Worker | undefined
  const exited = Promise.withResolvers<void>()
  let isBroken = false
  let count = 0

  /** The appends that the thread has not answered are written by this thread. */
  function giveUp(): void {
    isBroken = true
    for (const { resolve } of pending.values()) resolve(false)
    pending.clear()
  }

  function settle({ id, ...reply }: AppendReply): void {
    const { resolve, reject } = pending.get(id) as Pending
    pending.delete(id)
    // An idle thread must not keep the process running.
    if (pending.size === 0) worker?.unref()
    if ('written' in reply) resolve(reply.written)
    else reject(Object.assign(new Error(reply.message), { code: reply.code }))
  }

  function start(): Worker {
    // The worker's file lies beside this file in the sources, and beside the index in the published package.
    const isSource = import.meta.url.endsWith('.ts')
    const started = new Worker(new URL(isSource ? './append-worker.ts' : './append-worker.js', import.meta.url), {
      workerData: target,
      // Its heap holds no texts: without limits, V8 would reserve more for it.
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 },
    })
    // A bundle of a program may lack the file. The event `exit` follows.
    started.on('error', giveUp)
    started.on('message', settle)
    started.on('exit', () => {
      giveUp()
      exited.resolve()
    })
    return started
  }

  return {
    write(statements) {
      if (isBroken) return Promise.resolve(false)
      worker ??= start()
      const request: AppendRequest = { id: ++count, statements }
      const moved = statements.flatMap(({ values }) => values.filter(value => value instanceof Uint8Array))
      return new Promise((resolve, reject) => {
        pending.set(request.id, { resolve, reject })
        worker?.ref()
        worker?.postMessage(
          request,
          moved.map(({ buffer }) => buffer as ArrayBuffer),
        )
      })
    },
    async close() {
      isBroken = true
      if (worker === undefined) return
      worker.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have an origin, threads do not
      worker.postMessage('close')
      await exited.promise
    },
  }
}

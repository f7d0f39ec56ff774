import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { SessionReport, WorkOrder } from './matrix-worker.ts'

/** A process that finishes the sessions of processes that were killed. */
export interface Heir extends AsyncDisposable {
  finish(order: WorkOrder): Promise<readonly SessionReport[]>
}

/** Starts one process for many orders, because the start of a process takes longer than most orders. Orders come one after another. */
export function openHeir(script: string): Heir {
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async finish(order) {
      child.stdin.write(`${JSON.stringify(order)}\n`)
      const { done, value } = await lines.next()
      if (done === true) throw new Error(`the process ended: ${JSON.stringify(order)}`)
      return JSON.parse(value) as readonly SessionReport[]
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await ended
    },
  }
}

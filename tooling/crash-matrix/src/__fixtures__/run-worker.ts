import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { SessionReport, WorkOrder } from './matrix-worker.ts'

export type WorkerEnd =
  | { readonly killed: true; /** Numbers of the sessions that reached their point of death. */ readonly stopped: ReadonlySet<number> }
  | { readonly killed: false; readonly reports: readonly SessionReport[] }

/** Runs one worker process until it ends or is killed. */
export async function runWorker(script: string, order: WorkOrder): Promise<WorkerEnd> {
  const child = spawn(process.execPath, [script, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (signal === 'SIGKILL') return { killed: true, stopped: new Set(output.split('\n').slice(0, -1).map(Number)) }
  if (code !== 0) throw new Error(`a worker ended with ${code ?? signal}: ${JSON.stringify(order)}`)
  return { killed: false, reports: JSON.parse(output) as readonly SessionReport[] }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { WorkOrder } from './matrix-worker.ts'

/** Runs one worker process until it is killed. Returns the numbers of the sessions that reached their point of death. */
export async function killWorker(script: string, order: WorkOrder): Promise<ReadonlySet<number>> {
  const child = spawn(process.execPath, [script, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (signal !== 'SIGKILL') throw new Error(`a worker ended with ${code ?? signal}: ${JSON.stringify(order)}`)
  return new Set(output.split('\n').slice(0, -1).map(Number))
}

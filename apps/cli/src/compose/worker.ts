import { hostname } from 'node:os'

/** This process, as the store's claims know it. */
export const thisWorker = `${hostname()}/${process.pid}`

/** Whether a worker was a process of this machine that no longer runs: its runs can be taken over at once. */
export function isWorkerGone(worker: string): boolean {
  const [host, pid] = worker.split('/')
  if (host !== hostname() || !/^\d+$/.test(pid ?? '')) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

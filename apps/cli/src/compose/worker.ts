import { hostname } from 'node:os'

/** Name of this process in the store's claims. */
export const thisWorker = `${hostname()}/${process.pid}`

/** Whether a worker is a dead process of this machine. Its runs can be claimed at once, before their claims expire. */
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

import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Identifies the boot of the machine and the container. Two processes with the same value see the same process ids. */
const PLACE = placeOfProcessIds()

/** Name of this process in the store's claims. `PARLEY_WORKER` sets another one, which must be unique among live processes. */
export const thisWorker = process.env['PARLEY_WORKER'] || `${hostname()}/${process.pid}/${PLACE}`

/**
 * Whether a worker is a dead process of this machine. Its runs can be claimed at once, before their claims expire. Containers
 * may share a host name and have the same process ids, so the host name alone proves nothing.
 */
export function isWorkerGone(worker: string): boolean {
  const [, pid, place] = /\/(\d+)\/([0-9a-f]+)$/.exec(worker) ?? []
  if (pid === undefined || place !== PLACE) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

function placeOfProcessIds(): string {
  const hash = createHash('sha256').update(hostname())
  try {
    hash.update(readFileSync('/proc/sys/kernel/random/boot_id')).update(readlinkSync('/proc/self/ns/pid'))
  } catch {
    // Other systems than Linux have neither. There the host name has to do.
  }
  return hash.digest('hex').slice(0, 12)
}

import { writeSync, openSync } from 'node:fs'
import type { Mark } from '../process/mark.ts'

// The functions of `node:fs` that the watch of the files has not replaced.
const write = writeSync

/** Writes marks to a file, each one before the process continues. */
export interface MarkWriter {
  write(mark: Mark): void
  /** Kills this process, as the operating system does. */
  kill(): never
}

/** Opens the file of the marks for writing. */
export function openMarkWriter(path: string): MarkWriter {
  const file = openSync(path, 'a')
  const put = (mark: Mark): void => void write(file, `${JSON.stringify(mark)}\n`)
  return {
    write: put,
    kill() {
      put({ type: 'kill' })
      process.kill(process.pid, 'SIGKILL')
      throw new Error('the process was killed')
    },
  }
}

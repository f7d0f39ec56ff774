import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Seconds that test files take, by path from the root of the repository. */
export type FileTimes = Readonly<Record<string, number>>

const FILE = path.join(import.meta.dirname, '../node_modules/.cache/file-times.json')
/** The seconds of a file that has never run. */
const USUAL_SECONDS = 0.5

/**
 * The files that take longest, in seconds on two cores. A machine that has not run the tests yet starts with these files and
 * estimates its remaining time from them.
 */
const LONG_FILES: FileTimes = {
  'tooling/crash-matrix/src/crash-matrix.deep.test.ts': 100,
}

/** Reads how long each file took in the last run on this machine. */
export function readFileTimes(file = FILE): FileTimes {
  try {
    return { ...LONG_FILES, ...(JSON.parse(readFileSync(file, 'utf8')) as FileTimes) }
  } catch {
    // No run has ended here yet, or it was killed while it wrote.
    return LONG_FILES
  }
}

/** Keeps the times of a run for the next one. The times of files that did not run stay. */
export function writeFileTimes(times: FileTimes, file = FILE): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ ...readFileTimes(file), ...times }))
}

export function secondsOf(times: FileTimes, name: string): number {
  return times[name] ?? USUAL_SECONDS
}

import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { checkText } from './check-text.ts'
import type { Exception } from './exceptions.ts'
import { listFiles } from './list-files.ts'
import type { Violation } from './violation.ts'

export interface ProseOptions {
  /** The root of the repository. */
  readonly root: string
  /** Folders and files to read, as paths from `root`. @default the whole repository */
  readonly paths?: readonly string[] | undefined
  /** Places where a rule does not apply. @default [] */
  readonly exceptions?: readonly Exception[] | undefined
}

export interface ProseReport {
  /** Violations, sorted by file, then by line. */
  readonly violations: readonly Violation[]
  /** The number of files read. A check that finds no files proves nothing. */
  readonly files: number
}

/** Reads the sources and documents below the given paths and reports every violation that no exception excuses. */
export function checkProse({ root, paths = ['.'], exceptions = [] }: ProseOptions): ProseReport {
  const folders = paths.map(path => posix.normalize(path).replace(/\/$/, ''))
  const files = [...new Set(folders.flatMap(folder => listFiles(root, folder === '.' ? '' : folder)))].toSorted()
  const found = files.flatMap(file => checkText(file, readFileSync(join(root, file), 'utf8')))
  const isRead = ({ path }: Exception): boolean =>
    folders.some(folder => folder === '.' || path === folder || path.startsWith(`${folder}/`))
  return { violations: excuse(found, exceptions.filter(isRead)), files: files.length }
}

function excuse(found: readonly Violation[], exceptions: readonly Exception[]): readonly Violation[] {
  const covers = (exception: Exception, violation: Violation): boolean =>
    exception.rule === violation.rule && exception.path === violation.file
  const stale = exceptions.filter(exception => !found.some(violation => covers(exception, violation)))
  return [
    ...found.filter(violation => !exceptions.some(exception => covers(exception, violation))),
    ...stale.map(({ rule, path }) => ({
      rule: 'exception' as const,
      file: path,
      line: 1,
      found: `"${rule}"`,
      remedy: 'This exception excuses nothing. Remove it.',
    })),
  ]
}

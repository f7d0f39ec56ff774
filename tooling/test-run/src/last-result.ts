import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/** What the last run of a suite that passed is remembered by. */
export interface LastResult {
  /** The state of the repository and of the environment in which the tests passed. */
  readonly fingerprint: string
  readonly tests: number
  readonly seconds: number
  /** Milliseconds since 1970 at the end of the run. */
  readonly at: number
}

const FOLDER = path.join(import.meta.dirname, '../node_modules/.cache')

/** Reads the last result of a suite. `undefined` if the suite has not passed here. */
export async function readLastResult(suite: string, folder = FOLDER): Promise<LastResult | undefined> {
  try {
    return JSON.parse(await readFile(fileOf(suite, folder), 'utf8')) as LastResult
  } catch {
    return undefined
  }
}

export async function writeLastResult(suite: string, result: LastResult, folder = FOLDER): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(fileOf(suite, folder), JSON.stringify(result))
}

function fileOf(suite: string, folder: string): string {
  return path.join(folder, `last-result-${suite}.json`)
}

/**
 * Returns a text that changes if a file of the working tree changes, one that git ignores aside, or Node.js, or a variable that
 * tests read. `undefined` outside of a git repository, where nothing tells cheaply what has changed.
 */
export async function fingerprintOf(root: string, environment = process.env): Promise<string | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-index-'))
  try {
    const git = async (...args: readonly string[]): Promise<string> => {
      const env = { ...environment, GIT_INDEX_FILE: path.join(folder, 'index'), GIT_OPTIONAL_LOCKS: '0' }
      return (await promisify(execFile)('git', args, { cwd: root, env })).stdout.trim()
    }
    // A copy of the index knows which files are unchanged, so that git does not read them again.
    await copyFile(path.resolve(root, await git('rev-parse', '--git-dir'), 'index'), path.join(folder, 'index'))
    await git('add', '--all')
    const tree = await git('write-tree')
    const variables = Object.entries(environment).filter(([name]) =>
      /^(?:PARLEY_|DATABASE_URL$|NODE_OPTIONS$)/.test(name),
    )
    const rest = JSON.stringify([
      process.version,
      process.platform,
      process.arch,
      variables.toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ])
    return createHash('sha256').update(`${tree} ${rest}`).digest('hex')
  } catch {
    return undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

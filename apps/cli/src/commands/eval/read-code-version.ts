import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { EvalVersion } from '@parley/evals'

const run = promisify(execFile)

/** Untracked files that may belong to a program. Databases and reports, which an eval itself writes, do not count. */
const CODE = /\.(?:[cm]?[jt]sx?|jsonl?|csv|ya?ml|toml|md|txt|prompty)$/

/**
 * Reads which version of the program is evaluated: the commit, whether the working copy differs from it, and a text that changes with
 * every change. Without a Git repository, the text is made from the given files.
 */
export async function readCodeVersion(files: readonly string[]): Promise<EvalVersion> {
  const commit = (await git('rev-parse', 'HEAD'))?.trim()
  if (commit === undefined) return { code: hashOf(await contentsOf(files)) }
  // The results of evals are in the working copy too, maybe without a rule in .gitignore.
  const paths = ['--', ':/', ':(top,exclude,glob)**/.parley/**']
  const diff = (await git('diff', 'HEAD', '--binary', ...paths)) ?? ''
  const others = (await git('ls-files', '--others', '--exclude-standard', '--full-name', ...paths)) ?? ''
  const root = (await git('rev-parse', '--show-toplevel'))?.trim() ?? '.'
  const untracked = others.split('\n').filter(path => CODE.test(path) && path !== '')
  if (diff === '' && untracked.length === 0) return { commit, code: commit }
  const contents = await contentsOf(untracked.map(path => `${root}/${path}`))
  return { commit, dirty: true, code: hashOf([commit, diff, ...contents]) }
}

async function git(...args: string[]): Promise<string | undefined> {
  try {
    return (await run('git', args, { maxBuffer: 1 << 30 })).stdout
  } catch {
    // No repository, no commit yet, or no Git.
    return undefined
  }
}

async function contentsOf(paths: readonly string[]): Promise<readonly string[]> {
  return Promise.all(paths.map(async path => `${path}\n${await readFile(path, 'utf8').catch(() => '')}`))
}

function hashOf(texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(`${text.length}\n${text}`)
  return hash.digest('hex')
}

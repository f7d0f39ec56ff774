import { execFile } from 'node:child_process'
import { existsSync, lstatSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { ParleyError } from '@parley/core'

const run = promisify(execFile)

/** A commit with what a report shows of it. */
export interface Commit {
  readonly id: string
  readonly short: string
  readonly title: string
  readonly author: string
  readonly date: string
}

/** A commit in a temporary folder. */
export interface Checkout extends AsyncDisposable {
  readonly folder: string
}

/** The repository of the user's agents. */
export interface Repository {
  readonly root: string
  /** Returns the commits after `good` up to `bad`, oldest first. @throws ParleyError `config-invalid` */
  range(good: string, bad: string): Promise<{ readonly good: Commit; readonly commits: readonly Commit[] }>
  /** Checks a commit out into a temporary folder, with the installed packages of this one. */
  checkOut(commit: Commit): Promise<Checkout>
}

/**
 * Opens the repository that contains a folder.
 * @throws ParleyError `config-invalid` if the folder is not in a git repository, or git is missing.
 */
export async function findRepository(folder: string): Promise<Repository> {
  const git = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await run('git', args, { cwd: folder, maxBuffer: 2 ** 26 })
    return stdout.trim()
  }
  const root = await git('rev-parse', '--show-toplevel').catch((error: unknown) => {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw invalid(
      'bisect',
      isMissing
        ? 'git is not installed'
        : `'${folder}' is not in a git repository; run the command in the repository of the agents`,
    )
  })

  async function find(flag: string, name: string): Promise<Commit> {
    const id = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`).catch(() => {
      throw invalid(flag, `'${name}' is not a commit of ${root}`)
    })
    return describe(id)
  }
  async function describe(id: string): Promise<Commit> {
    const [short = id, author = '', date = '', title = ''] = (
      await git('show', '-s', '--date=short', '--format=%h%n%an%n%ad%n%s', id)
    ).split('\n')
    return { id, short, title, author, date }
  }
  return {
    root,
    async range(goodName, badName) {
      const [good, bad] = [await find('--good', goodName), await find('--bad', badName)]
      if (good.id === bad.id)
        throw invalid('--good', `and --bad are the same commit ${good.short}, so the range is empty`)
      await git('merge-base', '--is-ancestor', good.id, bad.id).catch(() => {
        throw invalid(
          '--good',
          `${good.short} is not an ancestor of ${bad.short}; give an earlier commit of the same branch`,
        )
      })
      const ids = await git('rev-list', '--reverse', '--first-parent', `${good.id}..${bad.id}`)
      return { good, commits: await Promise.all(ids.split('\n').map(describe)) }
    },
    async checkOut({ id }) {
      const parent = mkdtempSync(join(realpathSync(tmpdir()), 'parley-bisect-'))
      const target = join(parent, 'tree')
      await git('worktree', 'add', '--detach', '--force', target, id)
      await linkPackages(root, target, git)
      return {
        folder: target,
        async [Symbol.asyncDispose]() {
          rmSync(parent, { recursive: true, force: true })
          await git('worktree', 'prune')
        },
      }
    },
  }
}

/** Links the node_modules of every package of the repository into a checkout. */
async function linkPackages(
  root: string,
  target: string,
  git: (...args: readonly string[]) => Promise<string>,
): Promise<void> {
  const manifests = await git('-C', root, 'ls-files', '--', 'package.json', '**/package.json')
  const folders = new Set(['.', ...manifests.split('\n').map(dirname)])
  for (const folder of folders) {
    const installed = resolve(root, folder, 'node_modules')
    const link = resolve(target, folder, 'node_modules')
    if (
      !existsSync(installed) ||
      !existsSync(dirname(link)) ||
      lstatSync(link, { throwIfNoEntry: false }) !== undefined
    )
      continue
    symlinkSync(installed, link, 'junction')
  }
}

/** Returns the path of a file from the root of the repository. @throws ParleyError `config-invalid` */
export function pathInRepository(root: string, file: string): string {
  const path = relative(
    root,
    join(realpathSync(dirname(resolve(file))), resolve(file).slice(dirname(resolve(file)).length + 1)),
  )
  if (!path.startsWith('..')) return path
  throw invalid('--agents', `'${file}' is not in the repository ${root}`)
}

function invalid(path: string, detail: string): ParleyError {
  return new ParleyError({ code: 'config-invalid', path, detail })
}

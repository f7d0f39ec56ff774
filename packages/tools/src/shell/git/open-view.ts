import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { copyFile, lstat, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { PreparedCommand } from '../shell-policy.ts'
import { readShort, type Repository } from './find-repository.ts'
import { gitEnvironment } from './git-environment.ts'

const run = promisify(execFile)

/** Parts of a repository that hold data and no configuration. */
const SHARED = ['refs', 'packed-refs', 'logs', 'shallow']

/**
 * Makes a git directory of its own for one command. Its configuration has only settings that cannot name a program or a file. Its
 * data is that of the repository. A repository's own configuration, attributes and hooks can run any program, and an agent can
 * write a repository, so git never reads them.
 */
export async function openView(
  { workTree, gitDir, commonDir }: Repository,
  git: string,
): Promise<Pick<PreparedCommand, 'environment' | 'reads' | 'unhidden' | 'release'>> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-git-'))
  const release = (): Promise<void> => rm(directory, { recursive: true, force: true })
  try {
    const head = await readShort(join(gitDir, 'HEAD'))
    await writeFile(join(directory, 'HEAD'), head)
    await writeFile(join(directory, 'config'), await plainConfig(join(commonDir, 'config'), git))
    for (const name of SHARED) {
      const target = join(commonDir, name)
      if ((await lstat(target).catch(() => undefined)) !== undefined) await symlink(target, join(directory, name))
    }
    // A copy, because git writes what it learns about the working tree into the index, also when it only reads.
    await copyFile(join(gitDir, 'index'), join(directory, 'index'), constants.COPYFILE_FICLONE).catch(() => {})
    const environment = {
      ...gitEnvironment,
      GIT_DIR: directory,
      GIT_WORK_TREE: workTree,
      GIT_OBJECT_DIRECTORY: join(commonDir, 'objects'),
      GIT_CEILING_DIRECTORIES: dirname(workTree),
    }
    return { environment, reads: [directory], unhidden: true, release }
  } catch (error) {
    await release()
    throw error
  }
}

/** Settings to copy from a repository's own configuration. */
const KEPT =
  /^(?:core\.(?:repositoryformatversion|filemode|ignorecase|precomposeunicode|autocrlf|eol|symlinks|quotepath|abbrev)|extensions\.objectformat|i18n\.(?:commitencoding|logoutputencoding)|branch\..+\.(?:remote|merge)|remote\..+\.(?:url|fetch))$/

/** Kept settings of the configurations that git read last, by content. One configuration serves many commands. */
const lastRead = new Map<string, string>()
const MAX_READ = 20

/** Returns the kept settings of a configuration file. */
async function plainConfig(path: string, git: string): Promise<string> {
  const content = (await isSmall(path)) ? await readFile(path).catch(() => Buffer.alloc(0)) : Buffer.alloc(0)
  const key = content.toString('latin1')
  const listed = lastRead.get(key) ?? (await listSettings(content, git))
  if (listed === undefined) return toConfig('')
  if (lastRead.size >= MAX_READ) lastRead.clear()
  lastRead.set(key, listed)
  return toConfig(listed)
}

/** Returns all settings of a configuration in the format of `git config --null --list`. `undefined` if git cannot read it. */
async function listSettings(content: Buffer, git: string): Promise<string | undefined> {
  const env = { ...gitEnvironment, GIT_DIR: '/dev/null' }
  const args = ['config', '--file', '-', '--no-includes', '--null', '--list']
  const listing = run(git, args, { cwd: '/', env, timeout: 5_000, maxBuffer: 1_000_000 })
  // Git ends before it has read everything if a line is invalid.
  listing.child.stdin?.on('error', () => {}).end(content)
  return listing.then(
    ({ stdout }) => stdout,
    () => undefined,
  )
}

function toConfig(listed: string): string {
  const kept = listed.split('\0').flatMap(entry => {
    const [key = '', ...value] = entry.split('\n')
    return KEPT.test(key) ? [setting(key, value.join('\n'))] : []
  })
  return ['[core]', '\tbare = false', '\tcommitGraph = false', ...kept, ''].join('\n')
}

async function isSmall(path: string): Promise<boolean> {
  const entry = await stat(path).catch(() => undefined)
  return entry?.isFile() === true && entry.size <= 1_000_000
}

function setting(key: string, value: string): string {
  const [section, name] = [key.slice(0, key.indexOf('.')), key.slice(key.lastIndexOf('.') + 1)]
  const subsection = key.slice(section.length + 1, -name.length - 1)
  const header = subsection === '' ? `[${section}]` : `[${section} ${quote(subsection)}]`
  return `${header}\n\t${name} = ${quote(name === 'url' ? withoutSecrets(value) : value)}`
}

function quote(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
  return `"${escaped}"`
}

/** Removes a user name, a password and a query, because `git remote -v` shows addresses. */
function withoutSecrets(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1').replace(/\?.*$/s, '')
}

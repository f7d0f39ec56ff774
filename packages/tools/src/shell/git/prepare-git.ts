import { lstat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { checkPaths } from '../check-paths.ts'
import { writeOptions, type ReadArguments } from '../grammar/read-arguments.ts'
import type { CommandScene, PrepareCommand } from '../shell-policy.ts'
import { readRevision } from './read-revision.ts'
import type { GitSubcommand } from './reading-subcommands.ts'
import { findRepository, type Repository } from './find-repository.ts'
import { hiddenPathspecs } from './hidden-pathspecs.ts'
import { noRepository } from './git-environment.ts'
import { openView } from './open-view.ts'

export interface GitRequest {
  /** The command up to its options. */
  readonly head: readonly string[]
  readonly read: ReadArguments
  readonly grammar: GitSubcommand
}

/**
 * Checks the paths and revisions of a git command. The command then reads a view of the repository without its
 * configuration and without denied files.
 */
export function prepareGit(request: GitRequest): PrepareCommand {
  return async scene => {
    const repository = await findRepository(scene.workspace, scene.cwd)
    if (typeof repository === 'string') return repository
    if (repository === undefined) {
      const paths = request.read.operands.flatMap(({ value }) => [value, value.slice(value.lastIndexOf(':') + 1)])
      const fault = await checkPaths({ ...scene, paths, systemPaths: [], protectsRoots: false })
      return fault ?? noRepository
    }
    const operands = await sortOperands(request, scene, repository)
    if (typeof operands === 'string') return operands
    const fault = await checkPaths({ ...scene, paths: operands.paths, systemPaths: [], protectsRoots: false })
    if (fault !== undefined) return fault
    const view = await openView(repository, scene.program)
    return { argv: [...request.head, ...argumentsOf(request, operands, { scene, repository })], ...view }
  }
}

interface GitOperandValues {
  /** The pattern of `git grep`, if it is an operand and not an option. Otherwise empty. */
  readonly text: readonly string[]
  readonly commits: readonly string[]
  readonly paths: readonly string[]
}

/** Sorts the operands into commits and paths. An operand that exists as a file is a path, unless `--` says otherwise. */
async function sortOperands(
  { read, grammar }: GitRequest,
  scene: CommandScene,
  repository: Repository,
): Promise<GitOperandValues | string> {
  const values = read.operands.map(({ value }) => value)
  const { takes } = grammar
  if (takes === 'names') {
    const object = values.find(value => value.includes(':') || value.startsWith('-'))
    return object === undefined ? { text: [], commits: values, paths: [] } : `'${object}' may not be named here.`
  }
  if (takes === 'paths') return withoutMagic({ text: [], commits: [], paths: values })
  const hasText = grammar.replacesFirst !== undefined && !read.options.some(({ name }) => name === '-e')
  const text = hasText ? values.slice(0, 1) : []
  const commits: string[] = []
  const paths: string[] = []
  for (const [index, value] of values.entries()) {
    if (index < text.length) continue
    const isLate = index >= read.beforeDashes || paths.length > 0
    if (takes.endsWith('paths') && (isLate || (await isFile(value, { read, scene })))) paths.push(value)
    else {
      const revision = readRevision(value, { ...scene, repository, objects: takes.startsWith('object') })
      if (!revision.ok) return revision.reason
      commits.push(revision.value)
    }
  }
  return withoutMagic({ text, commits, paths })
}

/** Refuses pathspecs with magic (`:(top)x`, `:/x`, `:!x`), which name other files than they seem to. */
function withoutMagic(values: GitOperandValues): GitOperandValues | string {
  const magic = values.paths.find(path => path.startsWith(':'))
  return magic === undefined ? values : `'${magic}' may not be used here. Name the files plainly.`
}

/** Returns whether an operand before `--` is a file or a wildcard pattern, and not a commit. */
async function isFile(value: string, { read, scene }: { read: ReadArguments; scene: CommandScene }): Promise<boolean> {
  if (read.beforeDashes < read.operands.length || value.startsWith(':')) return false
  if (value.includes('*') || value.includes('?')) return true
  return lstat(resolve(scene.cwd, value)).then(
    () => true,
    () => false,
  )
}

function argumentsOf(
  { read, grammar }: GitRequest,
  { text, commits, paths }: GitOperandValues,
  { scene, repository }: { scene: CommandScene; repository: Repository },
): readonly string[] {
  const { shows = false, commit, dashes = true, takes } = grammar
  const hides = typeof shows === 'boolean' ? shows : read.options.some(({ name }) => shows.has(name))
  const hidden = hides ? hiddenPathspecs(scene.workspace, repository.workTree) : []
  // Each pattern is passed with -e, so that git cannot read it as an option or a commit.
  const pattern = text.flatMap(value => ['-e', value])
  const named = commits.length === 0 && commit !== undefined ? [commit] : commits
  const all = paths.length === 0 && hidden.length > 0 ? [':(top)'] : paths
  const specs = [...all, ...hidden]
  const separator = dashes && (takes.endsWith('paths') || specs.length > 0) ? ['--'] : []
  return [...writeOptions(read.options), ...pattern, ...named, ...separator, ...specs]
}

import { readdir, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { createPathJudge, isInside } from '../../workspace/path-judge.ts'
import { SENSITIVE_NAMES } from '../../workspace/sensitive-names.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { JudgedCommand } from '../judge-command.ts'
import type { ShellPolicy } from '../shell-policy.ts'
import type { Sandbox } from './find-sandbox.ts'

export interface SandboxOptions {
  readonly sandbox: Sandbox
  readonly policy: ShellPolicy
  readonly workspace: Workspace
  readonly command: JudgedCommand
  /** Home directory whose secrets are hidden. @default the user's */
  readonly home?: string | undefined
}

/** Where the system keeps programs, libraries and what they need to start. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/run/current-system']
const SETTINGS = (
  '/etc/ld.so.cache /etc/ld.so.conf /etc/ld.so.conf.d /etc/alternatives /etc/passwd /etc/group /etc/nsswitch.conf /etc/localtime ' +
  '/etc/timezone /etc/resolv.conf /etc/hosts /etc/host.conf /etc/magic /etc/magic.mime /etc/locale.alias'
).split(' ')
/** All files of the machine, read-only. `/run` is empty, because the sockets in it control services. */
const MACHINE = ['--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/run']
/** The parts of `/run` that commands can read: the addresses of name servers, and the programs of NixOS. */
const KEPT_OF_RUN = ['/run/systemd/resolve', '/run/current-system']
/** Caches of package managers in a home directory. Each command gets empty ones, because a cache would carry code into other projects. */
const CACHES = ['.cache', '.npm', '.local/share/pnpm/store', '.cargo/registry', '.gradle/caches', '.bun/install/cache']

/** Returns the beginning of the command that runs another one in the sandbox. The caller appends the other command. */
export async function sandboxCommand(options: SandboxOptions): Promise<readonly string[]> {
  const { sandbox, policy } = options
  const places = policy.files === 'read' ? await readingPlaces(options) : await writingPlaces(options)
  const network = policy.network === 'none' ? ['--unshare-net'] : []
  const separate = ['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent', ...network]
  return [sandbox.program, ...places, '--setenv', 'TMPDIR', '/tmp', ...separate, ...capabilities(policy), '--']
}

/**
 * Returns the places for a command that only reads: the system's programs and the workspace without its denied names.
 * Nothing can be written.
 */
async function readingPlaces({ workspace, command, home = homedir() }: SandboxOptions): Promise<readonly string[]> {
  const programs = [command.program, command.realProgram]
    .filter(program => !SYSTEM.some(place => isInside(place, program)))
    .map(program => installationOf(program, home))
  return [
    ...[...SYSTEM, ...SETTINGS].flatMap(place => ['--ro-bind-try', place, place]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--tmpfs',
    '/tmp',
    ...[...programs, ...workspace.roots, ...(command.reads ?? [])].flatMap(place => ['--ro-bind', place, place]),
    ...(command.unhidden === true
      ? []
      : (await Promise.all(workspace.roots.map(root => hidden(root, workspace.judge)))).flat()),
    '--remount-ro',
    '/',
  ]
}

/** Returns the directory that a program was installed in: above its `bin`, unless that is the home directory or the root. */
function installationOf(program: string, home: string): string {
  const directory = dirname(program)
  const above = dirname(directory)
  return isInside(above, home) ? directory : above
}

/**
 * Returns the places for a command that writes: all files are visible, but only the workspace, temporary files and
 * caches can be written.
 */
async function writingPlaces({ workspace, command, home = homedir() }: SandboxOptions): Promise<readonly string[]> {
  const judge = createPathJudge({ roots: [home], denied: SENSITIVE_NAMES })
  const caches = await Promise.all(CACHES.map(name => realpath(join(home, name)).catch(() => undefined)))
  const secrets = command.credentials === true ? [] : await hidden(home, judge, { maxDepth: 2, maxEntries: 500 })
  const outside = caches.filter(one => one !== undefined && !workspace.roots.some(root => isInside(one, root)))
  return [
    ...MACHINE,
    ...KEPT_OF_RUN.flatMap(place => ['--ro-bind-try', place, place]),
    ...outside.flatMap(cache => (cache === undefined ? [] : ['--tmpfs', cache])),
    ...secrets,
    ...(command.reads ?? []).flatMap(place => ['--ro-bind', place, place]),
    ...workspace.roots.flatMap(root => ['--bind', root, root]),
  ]
}

const FULL = { maxDepth: 12, maxEntries: 5_000 }

/**
 * Hides the denied files and directories below a place: those nearest to it first, and no more than a limited number of files is
 * looked at. The policy is the check that has no limit.
 */
async function hidden(
  place: string,
  judge: (path: string) => unknown,
  { maxDepth, maxEntries } = FULL,
): Promise<readonly string[]> {
  const found: string[] = []
  let level = [place]
  let seen = 0
  for (let depth = 0; depth < maxDepth && level.length > 0; depth++) {
    const next: string[] = []
    for (const directory of level) {
      const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
      seen += entries.length
      for (const entry of entries) {
        const path = join(directory, entry.name)
        // Mounts cannot cover a link. Its target has its own name, and is covered by that.
        if (entry.isSymbolicLink()) continue
        if (judge(path) !== undefined)
          found.push(...(entry.isDirectory() ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path]))
        else if (entry.isDirectory() && entry.name !== 'node_modules') next.push(path)
      }
      if (seen > maxEntries) return found
    }
    level = next
  }
  return found
}

/**
 * Returns the options that limit the rights of a command of the superuser. A process of the superuser could undo the
 * mounts. The capabilities that remain let it use files of other users.
 */
function capabilities({ files }: ShellPolicy): readonly string[] {
  if (process.getuid?.() !== 0) return []
  const kept =
    files === 'read'
      ? ['CAP_DAC_OVERRIDE']
      : ['CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_CHOWN', 'CAP_SETUID', 'CAP_SETGID']
  return ['--cap-drop', 'ALL', ...kept.flatMap(name => ['--cap-add', name])]
}

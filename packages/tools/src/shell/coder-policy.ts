import { isOption, operandsOf, programName } from './arguments.ts'
import { inlineCodeOf } from './inline-code.ts'
import { checkRule, type ProgramRule } from './program-rule.ts'
import { readingPrograms } from './reading-programs.ts'
import { refusalOfProgram } from './refused-programs.ts'
import type { CommandVerdict, ShellPolicy } from './shell-policy.ts'

/** Programs that run another program, which their arguments name. */
const WRAPPERS = new Set(
  'env nice ionice chrt taskset timeout gtimeout time stdbuf unbuffer busybox toybox command exec builtin flock numactl npx pnpx bunx cross-env dotenv entr'.split(
    ' ',
  ),
)
/** Programs that change the files they are given. */
const CHANGING = new Set(
  (
    'rm rmdir unlink mv cp ln link install mkdir touch truncate tee dd chmod chown chgrp chattr setfacl tar unzip zip gzip gunzip ' +
    'bzip2 xz split csplit patch sed gsed'
  ).split(' '),
)
const PROTECTS_ROOTS = new Set(['rm', 'rmdir', 'mv', 'chmod', 'chown', 'chgrp'])
/** Assignments (`NAME=…`) of variables that make a program load code or run another program. */
const LOADING =
  /^(?:(?:LD_|DYLD_|BASH_|PYTHON|PERL5|RUBY|GIT_|JAVA_TOOL)\w*|PATH|ENV|IFS|NODE_OPTIONS|SHELL|EDITOR|PAGER)=/

/** Programs that run another program, which follows one of these words. */
const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  npm: ['exec', 'x'],
  pnpm: ['exec', 'dlx'],
  yarn: ['exec', 'dlx'],
  bun: ['x'],
  uv: ['run'],
  poetry: ['run'],
  pipenv: ['run'],
  pdm: ['run'],
  hatch: ['run'],
  conda: ['run'],
  bundle: ['exec'],
  find: ['-exec', '-execdir', '-ok', '-okdir'],
}
const SCRIPT_FIRST: ProgramRule = { textOperands: 1, textOptions: ['-e', '-f', '--expression', '--file', '--regexp'] }
/** Programs whose first operand is a script or a pattern, not a file. */
const TEXT_FIRST = new Set(['sed', 'gsed', 'awk', 'gawk', 'mawk', 'nawk', 'rg', 'ag', 'ack', 'fd'])

/**
 * Judges what a command line shows. This keeps a model from causing great damage by mistake. It is not a sandbox: a program in
 * the workspace can do everything that this process is allowed to do.
 */
function check(argv: readonly string[]): CommandVerdict {
  const commands = [argv, ...wrapped(argv)]
  const refused = commands.map(reasonOf).find(reason => reason !== undefined)
  if (refused !== undefined) return { ok: false, reason: refused }
  const names = commands.map(([program = '']) => programName(program))
  const [first = ''] = names
  const changes = first === 'find' || names.some(name => CHANGING.has(name))
  const reads = first !== 'git' && Object.hasOwn(readingPrograms, first)
  const paths = pathsOf(first, argv)
  const system = [argv[0] ?? '', ...paths].filter(value => value.includes('/') || value.startsWith('.'))
  return {
    ok: true,
    argv,
    paths: changes || reads ? paths : [],
    systemPaths: changes || reads ? [] : system,
    protectsRoots: first !== 'find' && names.some(name => PROTECTS_ROOTS.has(name)),
  }
}

/** Returns the parts of the arguments that could be files. Leaves out a leading script, pattern or plain text. */
function pathsOf(name: string, argv: readonly string[]): readonly string[] {
  const { textOperands = 0, textOptions = [] } = TEXT_FIRST.has(name) ? SCRIPT_FIRST : (readingPrograms[name] ?? {})
  const verdict = checkRule(argv, { textOperands, textOptions })
  return verdict.ok ? verdict.paths : []
}

/** Returns every rest of the arguments that a wrapper or runner could run as a command. */
function wrapped(argv: readonly string[]): readonly (readonly string[])[] {
  const name = programName(argv[0] ?? '')
  const words = RUNNERS[name] ?? []
  const at = WRAPPERS.has(name) ? 0 : argv.findIndex((argument, index) => index > 0 && words.includes(argument))
  return at < 0 ? [] : argv.map((_, index) => argv.slice(index)).slice(at + 1)
}

function reasonOf(argv: readonly string[]): string | undefined {
  const name = programName(argv[0] ?? '')
  const refused = refusalOfProgram(name)
  if (refused !== undefined) return `'${name}' may not run here: ${refused}`
  const code = inlineCodeOf([name, ...argv.slice(1)])
  if (code !== undefined) {
    return `'${name}' may not get code on the command line (${JSON.stringify(code.slice(0, 80))}), because it cannot be checked. Write it to a file and run that.`
  }
  const loading = argv.find(argument => LOADING.test(argument))
  if (loading !== undefined) return `'${loading.slice(0, 80)}' may not be set here: it changes which programs run.`
  const special = SPECIAL[name]?.(argv)
  return special === undefined ? undefined : `'${name}' ${special}`
}

const SPECIAL: Readonly<Record<string, (argv: readonly string[]) => string | undefined>> = {
  env: argv =>
    argv.some(one => isOption(one, '-S') || isOption(one, '--split-string'))
      ? 'may not split a string into a command.'
      : undefined,
  git: gitFault,
  rg: refuseOptions('--pre', '--hostname-bin'),
  fd: refuseOptions('-x', '-X', '--exec', '--exec-batch'),
  tar: tarFault,
  zip: refuseOptions('-TT', '--unzip-command'),
  make: refuseOptions('-E', '--eval'),
  find: refuseOptions('-fprint', '-fprint0', '-fprintf', '-fls', '-files0-from', '-L', '-follow'),
  npm: argv =>
    argv.some(one => one === '-c' || isOption(one, '--call') || one.includes('script-shell')) ? INLINE : undefined,
  npx: argv => (argv.some(one => one === '-c' || isOption(one, '--call')) ? INLINE : undefined),
  pnpm: argv => (argv.some(one => one === '-c' || isOption(one, '--shell-mode')) ? INLINE : undefined),
  sqlite3: argv => (argv.some(one => /\.(?:shell|system|sh)\b/.test(one)) ? INLINE : undefined),
  chmod: argv => (argv.some(isSetId) ? 'may not set the set-user-id or set-group-id bit.' : undefined),
  install: argv => (argv.some(isSetId) ? 'may not set the set-user-id or set-group-id bit.' : undefined),
}

const INLINE = 'may not get a command to run, because it cannot be checked. Run the command directly.'

function refuseOptions(...options: readonly string[]): (argv: readonly string[]) => string | undefined {
  return argv => {
    const found = argv.slice(1).find(argument => options.some(option => isOption(argument, option)))
    return found === undefined ? undefined : `may not be used here with '${found}'.`
  }
}

const TAR_OPTIONS = refuseOptions(
  '-I',
  '-F',
  '--to-command',
  '--checkpoint-action',
  '--use-compress-program',
  '--info-script',
  '--new-volume-script',
  '--rsh-command',
  '--absolute-names',
  '-P',
)

/** Checks the options of tar, whose first argument may hold options without a dash. */
function tarFault([program = '', first = '', ...rest]: readonly string[]): string | undefined {
  return TAR_OPTIONS([program, first.startsWith('-') ? first : `-${first}`, ...rest])
}

function isSetId(argument: string): boolean {
  return (
    /^=?0*[2-7][0-7]{3}$/.test(argument) ||
    /^[ugoa]*[-+=][rwxXtugo]*s/.test(argument) ||
    /[,=][ugoa]*[+=][rwxXt]*s/.test(argument)
  )
}

const GIT_OPTIONS = [
  '--config-env',
  '--exec-path',
  '--upload-pack',
  '--receive-pack',
  '--open-files-in-pager',
  '--extcmd',
  '--exec',
  '--ext-diff',
  '--config',
  '--template',
  '--git-dir',
  '--work-tree',
  '-c',
  '-x',
  '-O',
  '-u',
]
const GIT_SUBCOMMANDS = new Set(
  'filter-branch difftool mergetool daemon instaweb send-email credential submodule-foreach gui citool web--browse'.split(
    ' ',
  ),
)

function gitFault(argv: readonly string[]): string | undefined {
  const operands = operandsOf(argv)
  const [subcommand = '', second = ''] = operands
  // For add, commit, push and similar subcommands, -c, -u and -x have another, harmless meaning.
  const before = argv.slice(1, argv.indexOf(subcommand))
  const options = /^(?:add|commit|push|checkout|switch|log|diff|show|clean|cherry-pick|stash|branch|status)$/.test(
    subcommand,
  )
    ? GIT_OPTIONS.filter(option => option.length > 2)
    : GIT_OPTIONS
  const found = [
    ...before.filter(one => one.startsWith('-c')),
    ...argv.slice(1).filter(one => options.some(option => isOption(one, option))),
  ][0]
  if (found !== undefined) return `may not be used here with '${found}', which runs other programs.`
  if (GIT_SUBCOMMANDS.has(subcommand) || second === 'foreach' || (subcommand === 'bisect' && second === 'run')) {
    return `may not be used here with '${subcommand}', which runs other programs.`
  }
  if (subcommand === 'config' && operands.length > 2 && !/^user\.(?:name|email)$/.test(second)) {
    return 'may set only user.name and user.email here.'
  }
  return argv.some(one => /^(?:ext|fd)::/.test(one)) ? 'may not use transports that run programs.' : undefined
}

/**
 * A policy for agents that write and run code. It refuses programs that control the machine, change users, send data, or
 * outlive the call, and it refuses code on the command line. Files must lie in the workspace; programs may also be in system
 * folders. A program in the workspace can do everything that this process is allowed to do. For hostile code, use a container.
 */
export const coderPolicy: ShellPolicy = {
  name: 'coder',
  description:
    'Programs of the system and of the workspace may run, on files of the workspace. Code on the command line may not.',
  check,
  network: 'inherit',
  limits: { cpuSeconds: 600, fileBytes: 2_000_000_000 },
  environment: { GIT_TERMINAL_PROMPT: '0', PAGER: 'cat', GIT_PAGER: 'cat' },
}

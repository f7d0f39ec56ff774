import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isInside } from '../../workspace/path-judge.ts'
import { readArguments } from '../grammar/read-arguments.ts'
import { compileGrammar, type ProgramGrammar } from '../grammar/program-grammar.ts'
import type { CommandCheck, CommandVerdict, PrepareCommand } from '../shell-policy.ts'

interface Wrapper extends ProgramGrammar {
  /** How many operands come before the command. @default 0 */
  readonly before?: number
}

/** Programs that run another program, which their arguments name. */
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: { options: '-i -u=word --ignore-environment --unset=word', operands: 'text...' },
  nice: { options: '-n=number --adjustment=number', operands: 'text...', digits: '-n' },
  timeout: {
    options: '-s=word -k=number -v --signal=word --kill-after=number --preserve-status --foreground --verbose',
    operands: 'number text...',
    before: 1,
  },
  time: { options: '-p', operands: 'text...' },
  stdbuf: { options: '-i=word -o=word -e=word', operands: 'text...' },
}

/** Assignments (`NAME=…`) of variables that make a program load code or run another program. */
export const LOADING =
  /^(?:(?:LD_|DYLD_|BASH_|PYTHON|PERL5|RUBY|GIT_|JAVA_TOOL|JDK_|NPM_CONFIG|npm_config|GCC_|CARGO|RUST|GO)\w*|PATH|ENV|IFS|NODE_OPTIONS|NODE_PATH|SHELL|EDITOR|VISUAL|PAGER|HOME|AWKPATH|MAKEFLAGS|LESSOPEN|MANPAGER|BROWSER|TAR_OPTIONS|GREP_OPTIONS|POSIXLY_CORRECT|CC|CXX)=/

/** Returns a check of a program that runs another one, by the check of that one. `undefined` if the program is not known as such. */
export function wrapperCheck(name: string, checkInner: CommandCheck): CommandCheck | undefined {
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined
  return wrapper === undefined ? undefined : argv => checkWrapped(argv, { name, wrapper, checkInner })
}

interface Wrapping {
  readonly name: string
  readonly wrapper: Wrapper
  readonly checkInner: CommandCheck
}

function checkWrapped(argv: readonly string[], { name, wrapper, checkInner }: Wrapping): CommandVerdict {
  const end = commandAt(argv, wrapper)
  const own = readArguments(argv.slice(1, end), wrapper)
  if (typeof own === 'string') return { ok: false, reason: `${name} ${own}` }
  const loading = argv.slice(1, end).find(argument => LOADING.test(argument))
  if (loading !== undefined)
    return { ok: false, reason: `'${loading.slice(0, 80)}' may not be set here: it changes which programs run.` }
  if (end >= argv.length) return { ok: true, argv, paths: [], systemPaths: [], protectsRoots: false }
  const inner = checkInner(argv.slice(end))
  if (!inner.ok) return inner
  if (inner.prepare !== undefined && !(argv[end] ?? '').includes('/'))
    return { ok: false, reason: `Run '${argv[end]}' directly, without '${name}'.` }
  return { ...inner, argv: [...argv.slice(0, end), ...inner.argv], prepare: fromWorkspace(argv[end] ?? '') }
}

/** Returns where the inner command begins. */
function commandAt(argv: readonly string[], wrapper: Wrapper): number {
  const { options } = compileGrammar(wrapper)
  let operands = 0
  for (let at = 1; at < argv.length; at++) {
    const argument = argv[at] ?? ''
    if (argument === '--') return Math.min(at + 1 + (wrapper.before ?? 0), argv.length)
    if (argument.startsWith('-')) {
      const rule = options.get(argument)
      if (rule?.kind !== undefined && !rule.optional) at++
    } else if (/^[A-Za-z_]\w*=/.test(argument) && wrapper === WRAPPERS['env']) continue
    else if (operands++ >= (wrapper.before ?? 0)) return at
  }
  return argv.length
}

/** Allows an inner program that a path names only if it lies in the workspace. A link could give it another name. */
function fromWorkspace(name: string): PrepareCommand | undefined {
  if (!name.includes('/')) return undefined
  return async ({ workspace, cwd, argv }) => {
    const real = await realpath(resolve(cwd, name)).catch(() => undefined)
    const inside = real !== undefined && workspace.roots.some(root => isInside(root, real))
    return inside
      ? { argv }
      : `'${name.slice(0, 100)}' is not a program of the workspace. Name it without its directory.`
  }
}

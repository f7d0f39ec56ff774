import { checkFind, splitFind } from './check-find.ts'
import { allow } from '../grammar/by-grammar.ts'
import { literalPattern } from './protected-names.ts'
import { prepareSearch } from './prepare-search.ts'
import type { CommandCheck, CommandVerdict } from '../shell-policy.ts'

const RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir'])

/**
 * Creates a check of `find` that also allows to delete the files it finds and to run a command on them. The search then skips links and
 * denied names, because the command reads whatever is found.
 */
export function findWithActions(checkInner: CommandCheck): CommandCheck {
  return argv => {
    const { starts, expression } = splitFind(argv.slice(1))
    const parts = splitActions(expression)
    if (typeof parts === 'string') return refuse(parts)
    const tests = checkFind(['find', ...starts, ...parts.tests])
    if (!tests.ok) return tests
    if (parts.actions === 0) return { ...tests, argv }
    const paths: string[] = [...tests.paths]
    for (const command of parts.commands) {
      const inner = checkExec(command, checkInner)
      if (!inner.ok) return inner
      paths.push(...inner.paths, ...inner.systemPaths)
    }
    const skips = prepareSearch(starts, ({ files, directories }) => [
      ...[...files, ...directories].flatMap(name => ['!', '-name', literalPattern(name)]),
      ...directories.flatMap(name => ['!', '-path', `*/${literalPattern(name)}/*`]),
    ])
    return {
      ...allow({ argv, paths }),
      prepare: async scene => {
        const skipped = await skips({ ...scene, argv: [] })
        if (typeof skipped === 'string') return skipped
        const here = starts.length > 0 ? starts : ['.']
        return {
          argv: ['find', ...here, '!', '-type', 'l', ...skipped.argv, '(', ...expression, ')'],
        }
      },
    }
  }
}

interface Actions {
  /** The expression with `-true` in place of actions that change or run something. */
  readonly tests: readonly string[]
  readonly commands: readonly (readonly string[])[]
  readonly actions: number
}

function splitActions(expression: readonly string[]): Actions | string {
  const tests: string[] = []
  const commands: (readonly string[])[] = []
  let actions = 0
  for (let at = 0; at < expression.length; at++) {
    const part = expression[at] ?? ''
    const isRun = RUNS.has(part)
    if (!isRun && part !== '-delete') tests.push(part)
    else {
      tests.push('-true')
      actions++
    }
    if (!isRun) continue
    const end = expression.findIndex(
      (one, index) => index > at && (one === ';' || (one === '+' && expression[index - 1] === '{}')),
    )
    if (end < 0) return `requires ';' after '${part}'.`
    commands.push(expression.slice(at + 1, end))
    at = end
  }
  return { tests, commands, actions }
}

function checkExec(command: readonly string[], checkInner: CommandCheck): CommandVerdict {
  // A file called `.` makes `{}env` the name `.env`.
  if (
    command.some(word => word !== '{}' && word.includes('{}')) ||
    command[0] === '{}' ||
    (command[0] ?? '').includes('/')
  ) {
    return refuse("may run only a program named without a directory, with '{}' as an argument of its own.")
  }
  const verdict = checkInner(command.map(word => (word === '{}' ? 'found-file' : word)))
  if (!verdict.ok || verdict.prepare === undefined) return verdict
  return refuse(`may not run '${command[0]}' here. Run it directly.`)
}

function refuse(reason: string): CommandVerdict {
  return { ok: false, reason: `find ${reason}` }
}

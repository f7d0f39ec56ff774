import { byGrammar } from '../grammar/by-grammar.ts'
import type { CommandCheck } from '../shell-policy.ts'
import { JQ } from './reading-grammars.ts'

/** Options with a name and a value, or with a value, as arguments of their own. None of the values is a file. */
const VALUES: Readonly<Record<string, number>> = { '--arg': 2, '--argjson': 2, '--indent': 1 }
const check = byGrammar(JQ)

/** Allows `jq` without modules and without files other than its operands. */
export const checkJq: CommandCheck = ([program = '', ...args]) => {
  const named: string[] = []
  const rest: string[] = []
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? ''
    const count = Object.hasOwn(VALUES, argument) ? (VALUES[argument] ?? 0) : 0
    if (count === 0) rest.push(argument)
    else {
      named.push(...args.slice(at, at + 1 + count))
      at += count
    }
  }
  const verdict = check([program, ...rest])
  return verdict.ok ? { ...verdict, argv: [program, ...named, ...verdict.argv.slice(1)] } : verdict
}

import { allow } from '../grammar/by-grammar.ts'
import type { CommandCheck } from '../shell-policy.ts'

const OPERATORS = new Set(
  '-b -c -d -e -f -g -h -k -p -r -s -t -u -w -x -G -L -N -O -S -n -z -nt -ot -ef -eq -ne -lt -le -gt -ge -a -o ! = == != < > ( ) ]'.split(
    ' ',
  ),
)

/** Allows `test` and `[`. Each word that is not an operator could be a file whose existence the command reveals. */
export const checkTest: CommandCheck = argv =>
  allow({ argv, paths: argv.slice(1).filter(word => !OPERATORS.has(word)) })

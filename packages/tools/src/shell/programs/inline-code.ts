import { isOption } from '../arguments.ts'

/** The options that take code on the command line, by interpreter. */
const INTERPRETERS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:ba|da|z|k|mk|a|c|tc|fi|r)?sh$|^yash$|^elvish$|^nu$|^xonsh$/, ['-c', '--command', '--init-file', '--rcfile']],
  [/^(?:pwsh|powershell)/, ['-c', '-e', '-C', '-E', '--command', '--encodedcommand']],
  [/^(?:python|pypy)[\d.]*$|^ipython/, ['-c']],
  [/^(?:node|nodejs|bun|tsx|ts-node|deno)$/, ['-e', '-p', '--eval', '--print']],
  [/^perl[\d.]*$/, ['-e', '-E']],
  [/^(?:ruby|lua|luajit|Rscript|R|julia|groovy|scala|elixir|escript)[\d.]*$/, ['-e', '-E', '--eval']],
  [/^php[\d.]*$/, ['-r', '-B', '-R', '-E', '--run']],
  [/^erl$/, ['-eval', '-run', '-s']],
  [/^(?:guile|sbcl|clisp|osascript|tclsh|gforth|ghc)$/, ['-c', '-e', '--eval']],
]

/** Python modules that take code as an argument. */
const RUNS_CODE = new Set(['timeit', 'pdb', 'trace', 'cProfile', 'profile', 'code'])

const SCRIPT = /\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|sh|bash|zsh|jl|r|exs?|groovy|scala)$/i

/** Returns the argument that gives an interpreter code on the command line. `undefined` if no argument does. */
export function inlineCodeOf([program = '', ...rest]: readonly string[]): string | undefined {
  if (program === 'deno' && rest[0] === 'eval') return 'eval'
  const options = INTERPRETERS.find(([name]) => name.test(program))?.[1]
  if (options === undefined) return undefined
  for (const [index, argument] of rest.entries()) {
    if (/(?:^|=)data:/i.test(argument)) return argument
    if (options.some(option => isOption(argument, option))) return argument
    // Arguments after a script or a module belong to it. A name right after an option may be that option's value instead.
    const follows = index === 0 || !(rest[index - 1] ?? '').startsWith('-')
    if (argument === '-m' && RUNS_CODE.has(rest[index + 1] ?? '')) return rest[index + 1]
    if (follows && (argument === '-m' || (!argument.startsWith('-') && SCRIPT.test(argument)))) return undefined
  }
  return undefined
}

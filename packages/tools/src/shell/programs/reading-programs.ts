import { allow, byGrammar, type GrammarRule } from '../grammar/by-grammar.ts'
import { checkFind } from './check-find.ts'
import { checkGit } from '../git/check-git.ts'
import { checkJq } from './check-jq.ts'
import { checkTest } from './check-test.ts'
import { pathOperands, prepareSearch, skipByGrep, skipByRipgrep } from './prepare-search.ts'
import { onlyFiles } from './regular-operands.ts'
import { lineTools, listTools, RIPGREP, GREP, DIFF, versionPrograms } from './reading-grammars.ts'
import type { CommandCheck } from '../shell-policy.ts'

export type ProgramTable = Readonly<Record<string, CommandCheck>>

/** Programs whose arguments are only text. They have no option that uses a file. */
const text: CommandCheck = argv => allow({ argv })

/** Programs that print their version. In the root directory they find no configuration that an agent wrote. */
const version: CommandCheck = argv =>
  argv.length === 2 && /^(?:--version|-v|-V|version)$/.test(argv[1] ?? '')
    ? { ...allow({ argv }), prepare: async () => ({ argv, cwd: '/' }) }
    : { ok: false, reason: `'${argv[0]}' may be used here only with --version.` }

const grep = byGrammar({
  ...GREP,
  prepare: read =>
    read.options.some(({ name }) => name === '-r' || name === '--recursive')
      ? prepareSearch(pathOperands(read), skipByGrep)
      : undefined,
})

/**
 * Programs that only read, with the options that keep it so. Interpreters, pagers, editors and programs that start other
 * programs are not included.
 */
export const readingPrograms: ProgramTable = {
  ...table({ ...lineTools, ...listTools }),
  ...same('echo printf true false seq expr sleep tr', text),
  ...same(versionPrograms, version),
  ...same('grep egrep fgrep', grep),
  ...same('test [', checkTest),
  rg: byGrammar({ ...RIPGREP, prepare: read => prepareSearch(pathOperands(read), skipByRipgrep) }),
  diff: byGrammar({ ...DIFF, prepare: ({ operands }) => onlyFiles(operands.map(({ value }) => value)) }),
  find: checkFind,
  jq: checkJq,
  git: checkGit,
}

/** Programs that only look up names in the network. */
export const lookupPrograms: ProgramTable = {
  dig: byGrammar({ options: '-4 -6 -t=lookup -x=lookup', operands: 'lookup...', dashes: false }),
  host: byGrammar({ options: '-4 -6 -a -v -s -t=lookup', operands: 'lookup...', dashes: false }),
  nslookup: byGrammar({ options: '', operands: 'lookup...', dashes: false }),
}

function same(names: string, check: CommandCheck): ProgramTable {
  return Object.fromEntries(names.split(' ').map(name => [name, check]))
}

function table(grammars: Readonly<Record<string, GrammarRule>>): ProgramTable {
  return Object.fromEntries(
    Object.entries(grammars).flatMap(([names, grammar]) => Object.entries(same(names, byGrammar(grammar)))),
  )
}

/**
 * The arguments that a program may get. Everything that a grammar does not name is refused, so a new or forgotten option of a
 * program is not a hole.
 */
export interface ProgramGrammar {
  /**
   * Allowed options, separated by spaces. `-l` and `--all` take no value. `-n=number` requires a value of that kind.
   * `--color=?word` may have a value after `=`. Abbreviations of long options are not accepted.
   */
  readonly options: string
  /** Kinds of the operands in order. `...` after the last one lets it repeat. Empty for none: `'pattern file...'`. */
  readonly operands: string
  /**
   * Options that replace the first operand, such as `-e` of grep: a command with one of them does not have that
   * operand.
   * @default none
   */
  readonly replacesFirst?: readonly string[]
  /** Option that `-5` is short for. @default none: such an argument is refused */
  readonly digits?: string
  /**
   * Whether to write `--` before the operands. `as-given` writes it where the command has it, because it tells git commits from paths.
   * @default true
   */
  readonly dashes?: boolean | 'as-given'
}

/** The kind of a value. It decides how the value is checked. */
export type ValueKind = keyof typeof KINDS

/** Pattern of each kind of value. A `file` or `path` must also lie in the workspace. So must a `word`, because it could name a file. */
export const KINDS = {
  number: /^[-+]?(?:0x[\da-f]+|\d+(?:\.\d+)?)[A-Za-z%]{0,3}$/,
  /** A plain word: no path. */
  word: /^(?!~)[^/\\]*$/,
  /** Text that the program never takes for a file name. */
  text: /^[^]*$/,
  /** A format of a date: an operand without `+` would set the clock. */
  format: /^\+/,
  /**
   * A sed script that only prints, deletes or substitutes. The commands `e`, `r` and `w` run programs and use files. Implementations
   * disagree on a delimiter inside brackets, so it is refused there.
   */
  sed: /^(?:(?:(?:\d+|\$|\/(?:[^/\\\n[]|\\[^\n]|\[\^?\]?[^\]/\\\n]*\])*\/)(?:,(?:\d+|\$|\/(?:[^/\\\n[]|\\[^\n]|\[\^?\]?[^\]/\\\n]*\])*\/))?!?)?(?:[pdq=]|s([/|#,])(?:(?!\1)[^\\\n[]|\\[^\n]|\[\^?\]?(?:(?!\1)[^\]\\\n])*\])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpiI\d]*)(?:;\s*|$))+$/,
  /** A jq program without modules, which are files. */
  jq: /^(?![^]*(?:import|include))[^]*$/,
  /** A name or an option of a name server lookup. */
  lookup:
    /^(?:@?[\w.:*-]+|\+(?:no)?(?:short|all|answer|trace|tcp|stats|question|comments|multiline|dnssec|recurse|additional|authority|cmd|identify|(?:time|tries)=\d+))$/,
  /** Part of a date that a program reads, such as `yesterday`. */
  date: /^[\w\s:.,+@/-]*$/,
  /** An awk program that uses no other files than its operands and runs no programs. */
  awk: /^(?![^]*(?:system|getline|[|>@]|close|ENVIRON|ARGV|ARGC|PROCINFO|SYMTAB|FUNCTAB))[^]*$/,
  /** A variable of awk. */
  assignment: /^[A-Za-z_]\w*=[^]*$/,
  /** A mode without the set-user-id and set-group-id bits. */
  mode: /^(?:0{0,2}[0-7]{3}|[ugoa]*[-+=][rwxX]*(?:,[ugoa]*[-+=][rwxX]*)*)$/,
  /** The ending of a backup file. With a slash, `sed` would place it in another directory. */
  ending: /^\.?\w{1,20}$/,
  /** An archive. A colon would make tar use another machine. */
  archive: /^[^:]*$/,
  /** The name or the address of a remote repository. A path or a transport that runs a program is neither. */
  remote: /^(?![^]*::)(?:(?:https?|ssh|git):\/\/[\w.@:/~+%-]+|(?:[\w.-]+@)?[\w.-]+:[\w./~+-]+|[\w][\w.-]*)$/,
  /** The allowed subcommands of `git stash`. The next three are those of `git bisect`, `git remote` and `git submodule`. */
  stash: /^(?:push|pop|apply|drop|clear|save)$/,
  bisect: /^(?:start|good|bad|new|old|skip|reset|log|next)$/,
  remotes: /^(?:add|remove|rm|rename|set-url|prune)$/,
  submodule: /^(?:status|init)$/,
  identity: /^user\.(?:name|email)$/,
  file: /^[^]*$/,
  path: /^[^]*$/,
} satisfies Readonly<Record<string, RegExp>>

const FILES: ReadonlySet<string> = new Set<ValueKind>(['word', 'file', 'path', 'archive'])

/** Returns whether a value of this kind could name a file. */
export function namesFile(kind: ValueKind): boolean {
  return FILES.has(kind)
}

/** An option of a grammar. */
export interface OptionRule {
  readonly kind: ValueKind | undefined
  readonly optional: boolean
}

export interface CompiledGrammar {
  readonly options: ReadonlyMap<string, OptionRule>
  readonly operands: readonly ValueKind[]
  readonly repeats: boolean
}

const compiled = new WeakMap<ProgramGrammar, CompiledGrammar>()

/** Reads the text form of a grammar, once. */
export function compileGrammar(grammar: ProgramGrammar): CompiledGrammar {
  const known = compiled.get(grammar)
  if (known !== undefined) return known
  const options = new Map(words(grammar.options).map(toOption))
  const operands = words(grammar.operands)
  const repeats = operands.at(-1)?.endsWith('...') === true
  const result = { options, operands: operands.map(word => toKind(word.replace('...', ''))), repeats }
  compiled.set(grammar, result)
  return result
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter(word => word !== '')
}

function toOption(word: string): readonly [string, OptionRule] {
  const [name = '', value] = word.split('=', 2)
  if (value === undefined) return [name, { kind: undefined, optional: false }]
  return [name, { kind: toKind(value.replace('?', '')), optional: value.startsWith('?') }]
}

function toKind(name: string): ValueKind {
  if (Object.hasOwn(KINDS, name)) return name as ValueKind
  throw new TypeError(`a grammar has the unknown kind '${name}'`)
}

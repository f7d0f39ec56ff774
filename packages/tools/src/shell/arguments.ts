/**
 * Whether an argument is, or may be read as, an option. `--output` is also `--output=x` and any abbreviation of it;
 * `-o` is also `-ofile` and a part of `-ro`; longer ones with one dash (`-exec`) are themselves only.
 */
export function isOption(argument: string, option: string): boolean {
  if (option.startsWith('--')) {
    const name = argument.split('=', 1)[0] ?? ''
    return name.length > 2 && name.startsWith('--') && option.startsWith(name)
  }
  if (option.length > 2) return argument === option
  return /^-[^-]/.test(argument) && argument.includes(option.charAt(1))
}

export function operandsOf(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--')
  return argv.slice(1).filter((argument, index) => (end > 0 && index + 1 > end) || !isDashed(argument))
}

function isDashed(argument: string): boolean {
  return argument.startsWith('-') && argument !== '-'
}

/** Longer runs of short options are no use to anybody. */
const MAX_SHORT_OPTIONS = 64

/** Everything in an argument that a program may take for the name of a file. */
export function valuesOf(argument: string): readonly string[] {
  const joined = argument.includes('=') ? [argument.slice(argument.indexOf('=') + 1)] : []
  if (argument.startsWith('--')) return joined
  if (isDashed(argument)) {
    // In -nf.env, any of nf.env, f.env and .env may be the value.
    const ends = Array.from({ length: Math.min(argument.length - 1, MAX_SHORT_OPTIONS) }, (_, at) =>
      argument.slice(at + 1),
    )
    return [...ends, ...joined]
  }
  const marked = argument.startsWith('@') ? [argument.slice(1)] : []
  const afterColon = argument.includes(':') ? [argument.slice(argument.indexOf(':') + 1)] : []
  return [argument, ...joined, ...marked, ...afterColon]
}

export function isUrl(argument: string): boolean {
  return /(?:^|[=@])[a-z][a-z0-9+.-]*:\/\//i.test(argument)
}

/** The name of a program, without its directory. */
export function programName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

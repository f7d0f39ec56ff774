/**
 * Returns whether a program could read an argument as the option. `--output` also matches `--output=x` and every
 * abbreviation. `-o` also matches `-ofile` and a letter in `-ro`. A longer option with one dash (`-exec`) matches only itself.
 */
export function isOption(argument: string, option: string): boolean {
  if (option.startsWith('--')) {
    const name = argument.split('=', 1)[0] ?? ''
    return name.length > 2 && name.startsWith('--') && option.startsWith(name)
  }
  if (option.length > 2) return argument === option
  return /^-[^-]/.test(argument) && argument.includes(option.charAt(1))
}

function isDashed(argument: string): boolean {
  return argument.startsWith('-') && argument !== '-'
}

/** How many letters of a run of short options are checked for an attached value. No real command has more. */
const MAX_SHORT_OPTIONS = 64

/** Returns every part of an argument that a program could take for a file name. */
export function valuesOf(argument: string): readonly string[] {
  const joined = argument.includes('=') ? [argument.slice(argument.indexOf('=') + 1)] : []
  if (argument.startsWith('--')) return joined
  if (isDashed(argument)) {
    // In -nf.env, the value could be nf.env, f.env or .env.
    const ends = Array.from({ length: Math.min(argument.length - 1, MAX_SHORT_OPTIONS) }, (_, at) =>
      argument.slice(at + 1),
    )
    return [...ends, ...joined]
  }
  const marked = argument.startsWith('@') ? [argument.slice(1)] : []
  const afterColon = argument.includes(':') ? [argument.slice(argument.indexOf(':') + 1)] : []
  return [argument, ...joined, ...marked, ...afterColon]
}

/** Returns whether an argument is a URL, or holds one after `=` or `@`. */
export function isUrl(argument: string): boolean {
  return /(?:^|[=@])[a-z][a-z0-9+.-]*:\/\//i.test(argument)
}

/** Returns the name of a program without its directory. */
export function programName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

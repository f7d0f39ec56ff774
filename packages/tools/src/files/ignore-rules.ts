import { readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { isInside } from '../workspace/path-judge.ts'

/** The .gitignore files that apply in a directory, the innermost last. */
export type IgnoreRules = readonly { readonly directory: string; readonly matcher: Ignore }[]

/** Largest ignore file in bytes. A larger file is not treated as an ignore file. */
const MAX_BYTES = 1_000_000

/** Adds a directory's own .gitignore to the rules of its parents. */
export function withIgnoreFile(rules: IgnoreRules, directory: string): IgnoreRules {
  const path = join(directory, '.gitignore')
  try {
    const stats = statSync(path)
    if (!stats.isFile() || stats.size > MAX_BYTES) return rules
    const matcher = ignore({ ignorecase: false }).add(readFileSync(path, 'utf8'))
    return [...rules, { directory, matcher }]
  } catch {
    return rules
  }
}

/** Whether git would ignore this file or directory. */
export function isIgnored(rules: IgnoreRules, path: string, isDirectory: boolean): boolean {
  const decided = rules
    .map(({ directory, matcher }) => {
      const name = relative(directory, path).split(sep).join('/')
      return matcher.test(isDirectory ? `${name}/` : name)
    })
    .findLast(({ ignored, unignored }) => ignored || unignored)
  return decided?.ignored === true
}

/**
 * Returns the .gitignore rules for the start of a search: those of the directory and of its parents up to the root. If the
 * rules of the parents ignore the directory itself, they do not apply, because a model that names an ignored directory wants to
 * search it.
 */
export function ignoreRulesFor(root: string, directory: string): IgnoreRules {
  const parents: string[] = []
  for (let at = directory; at !== root && isInside(root, dirname(at)); at = dirname(at)) parents.unshift(dirname(at))
  const outer = parents.reduce<IgnoreRules>(withIgnoreFile, [])
  const named = directory !== root && isIgnored(outer, directory, true)
  return withIgnoreFile(named ? [] : outer, directory)
}

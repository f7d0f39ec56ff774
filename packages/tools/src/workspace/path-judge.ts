import { isAbsolute, relative, sep } from 'node:path'
import { createNameMatcher } from './name-matcher.ts'

/** Why a path may not be used; undefined when it may. */
export type PathVerdict = 'outside' | 'sensitive' | undefined

/** Decides about an absolute path without looking at the disk: give it what `realpath` said. */
export type PathJudge = (path: string) => PathVerdict

export interface PathRules {
  /** Real, absolute directories. */
  readonly roots: readonly string[]
  readonly denied: readonly string[]
  /** Rules that must let a path through as well. */
  readonly within?: PathRules | undefined
}

/** Devices and kernel interfaces, of no use as files even where a root contains them. */
const PSEUDO_ROOTS = ['/dev', '/proc', '/sys']

export function createPathJudge({ roots, denied, within }: PathRules): PathJudge {
  const matches = createNameMatcher(denied)
  const outer = within === undefined ? undefined : createPathJudge(within)
  return path => {
    const [root] = roots.filter(candidate => isInside(candidate, path)).toSorted((a, b) => b.length - a.length)
    if (root === undefined) return 'outside'
    if (PSEUDO_ROOTS.some(pseudo => isInside(pseudo, path) && !isInside(pseudo, root))) return 'sensitive'
    const segments = relative(root, path).split(sep)
    return matches(segments) ? 'sensitive' : outer?.(path)
  }
}

/** Whether `path` is `directory` or lies below it. Compares segments: `/development` is not in `/dev`. */
export function isInside(directory: string, path: string): boolean {
  const rest = relative(directory, path)
  return !isAbsolute(rest) && rest !== '..' && !rest.startsWith(`..${sep}`)
}

import { isAbsolute, relative, sep } from 'node:path'
import { createNameMatcher } from './name-matcher.ts'

/** Why a path may not be used. `undefined` if it may be used. */
export type PathVerdict = 'outside' | 'sensitive' | undefined

/** Judges an absolute path without reading the disk. Pass a path that `realpath` returned. */
export type PathJudge = (path: string) => PathVerdict

export interface PathRules {
  /** Real, absolute directories. */
  readonly roots: readonly string[]
  /** Denied names, as in `WorkspaceOptions.denied`. */
  readonly denied: readonly string[]
  /** Other rules that must allow a path too. @default none */
  readonly within?: PathRules | undefined
}

/** Devices and kernel interfaces. They are refused even if a root such as `/` contains them. */
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

/** Returns whether `path` is `directory` or lies below it. Compares whole segments: `/development` is not in `/dev`. */
export function isInside(directory: string, path: string): boolean {
  const rest = relative(directory, path)
  return !isAbsolute(rest) && rest !== '..' && !rest.startsWith(`..${sep}`)
}

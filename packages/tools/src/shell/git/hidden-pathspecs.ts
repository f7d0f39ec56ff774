import { sep } from 'node:path'
import type { PathRules } from '../../workspace/path-judge.ts'

/**
 * Writes the denied names of a workspace as pathspecs that leave them out at any depth, in any case, in the working directory, the
 * index and every commit. An entry that allows a name again (`!.env.example`) has no pathspec, so that file is left out too.
 */
export function hiddenPathspecs({ denied, within }: PathRules, workTree: string): readonly string[] {
  const names = new Set([...denied, ...(within?.denied ?? [])].filter(name => !name.startsWith('!')))
  return [...names].flatMap(name => {
    const segments = name.split('/').filter(segment => segment !== '')
    return [segments, ...restsBelow(segments, workTree)].flatMap((rest, index) => {
      const pattern = rest.map(escape).join('/')
      const anywhere = index === 0 ? '**/' : ''
      return [`:(top,exclude,icase,glob)${anywhere}${pattern}`, `:(top,exclude,icase,glob)${anywhere}${pattern}/**`]
    })
  })
}

/** Returns the last segments of a denied name, if its first segments match the directories in which the repository lies. */
function restsBelow(segments: readonly string[], workTree: string): readonly (readonly string[])[] {
  const parents = workTree.toLowerCase().split(sep)
  return segments.slice(1).flatMap((_, index) => {
    const first = segments
      .slice(0, index + 1)
      .join('/')
      .toLowerCase()
    return parents.slice(-index - 1).join('/') === first ? [segments.slice(index + 1)] : []
  })
}

/** Escapes the characters with a meaning in pathspecs, except `*`, which means the same in denied names. */
function escape(segment: string): string {
  return segment.replaceAll(/[?[\]\\]/g, '\\$&')
}

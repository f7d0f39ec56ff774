import { diffLines } from 'diff'

/** Some lines of a text, and whether another text has them. */
export interface DiffLines {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Compares two texts line by line. */
export function lineDiff(before: string, after: string): readonly DiffLines[] {
  return diffLines(before, after).map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value.replace(/\n$/, ''),
  }))
}

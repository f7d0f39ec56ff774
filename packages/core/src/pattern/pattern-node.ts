/** Tests one code point. */
export type CodePointTest = (codePoint: number) => boolean

/** A test of a position between two characters. */
export type Anchor = 'start' | 'end' | 'line-start' | 'line-end' | 'word-edge' | 'inside-word'

/** A parsed pattern. Groups do not capture, because callers only learn whether a text matches. */
export type PatternNode =
  | { readonly type: 'character'; readonly test: CodePointTest }
  | { readonly type: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly type: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly type: 'repeat'; readonly part: PatternNode; readonly min: number; readonly max: number }
  | { readonly type: 'anchor'; readonly anchor: Anchor }
  | { readonly type: 'look'; readonly ahead: boolean; readonly negated: boolean; readonly part: PatternNode }

/** Matches the empty text. */
export const EMPTY: PatternNode = { type: 'sequence', parts: [] }

/** Says why a pattern cannot be used. */
export class PatternFault extends Error {}

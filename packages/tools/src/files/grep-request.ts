import type { PathRules } from '../workspace/path-judge.ts'

/** A search as plain data, which is sent to the worker thread. */
export interface GrepRequest {
  readonly rules: PathRules
  /** Real path of the file or directory to search, and its display path. */
  readonly start: { readonly path: string; readonly shown: string }
  /** Pattern to search for in the files. `undefined` lists the files instead. */
  readonly search: LinePattern | undefined
  /** Patterns of file names in .gitignore syntax. Empty for all files. */
  readonly globs: readonly string[]
  /** Maximum number of matching lines, or of listed files. */
  readonly maxMatches: number
  readonly maxOutputCharacters: number
}

export interface LinePattern {
  /** Source and flags of the regular expression. */
  readonly pattern: string
  readonly flags: string
  readonly contextLines: number
}

/** A message from the worker thread while it searches. */
export type GrepReply =
  | { readonly type: 'hits'; readonly lines: readonly string[]; readonly counts: GrepCounts }
  | { readonly type: 'done'; readonly counts: GrepCounts; readonly stopped: 'matches' | 'output' | undefined }

export interface GrepCounts {
  readonly matches: number
  /** Text files that were searched. */
  readonly files: number
  /** Files skipped because they are binary. */
  readonly binary: number
  /** Files skipped because they are denied or unreadable. */
  readonly refused: number
  /** Lines of which only the first part was searched. */
  readonly longLines: number
}

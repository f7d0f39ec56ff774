import type { PathRules } from '../workspace/path-judge.ts'

/** A search, as it is handed to the thread that runs it: plain data. */
export interface GrepRequest {
  readonly rules: PathRules
  /** Real path of the file or directory to search, and how to show it. */
  readonly start: { readonly path: string; readonly shown: string }
  /** What to look for in the files; undefined to list them. */
  readonly search: LinePattern | undefined
  /** Patterns of file names, in the form of .gitignore; empty for all files. */
  readonly globs: readonly string[]
  /** Most matching lines, or files listed. */
  readonly maxMatches: number
  readonly maxOutputCharacters: number
}

export interface LinePattern {
  /** Source and flags of the regular expression. */
  readonly pattern: string
  readonly flags: string
  readonly contextLines: number
}

/** What a search says while it runs. */
export type GrepReply =
  | { readonly type: 'hits'; readonly lines: readonly string[]; readonly counts: GrepCounts }
  | { readonly type: 'done'; readonly counts: GrepCounts; readonly stopped: 'matches' | 'output' | undefined }

export interface GrepCounts {
  readonly matches: number
  /** Text files searched. */
  readonly files: number
  /** Files skipped because they are binary, denied or unreadable. */
  readonly binary: number
  readonly refused: number
  /** Lines searched only in their first part. */
  readonly longLines: number
}

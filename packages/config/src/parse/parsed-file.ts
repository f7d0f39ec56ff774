import type { KeyPath } from '../config.ts'
import type { Problem } from './problem.ts'

/** A file as its format's parser gives it. */
export interface ParsedFile {
  readonly value: unknown
  /** What is wrong with the text itself. Never shows any of it: it may be a secret in the wrong place. */
  readonly problems: readonly Problem[]
  lineOf(key: KeyPath): number | undefined
}

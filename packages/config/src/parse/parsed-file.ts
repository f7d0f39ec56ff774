import type { KeyPath } from '../schema/config.ts'
import type { Problem } from './problem.ts'

/** The content of a configuration file, as the reader of its format returns it. */
export interface ParsedFile {
  /** The data; `undefined` if the text is invalid. */
  readonly value: unknown
  /** Problems of the text. They never quote it, because the text may contain a secret in the wrong place. */
  readonly problems: readonly Problem[]
  /** Returns the line of a key, as `ConfigSource.lineOf` does. */
  lineOf(key: KeyPath): number | undefined
}

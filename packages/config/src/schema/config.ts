import type { ConfigData } from './config-schema.ts'

/** A checked configuration: its keys and values are valid, and every name that refers to another section exists there. */
export interface Config {
  /** The content of the file. Environment references are replaced by their values. */
  readonly data: ConfigData
  /** Where the configuration comes from. Error messages use it. */
  readonly source: ConfigSource
  /** The folder of the file. Relative paths of toolsets and modules start there. @default the working directory */
  readonly folder?: string | undefined
}

/** The path of a value in a configuration: names of keys, and indexes in lists. */
export type KeyPath = readonly (string | number)[]

/** Where a configuration comes from. Error messages use it. */
export interface ConfigSource {
  /** The name of the file in errors. */
  readonly path: string
  /** The line of a key, from 1. For a missing key, the line of its nearest parent. `undefined` if the format has no lines. */
  lineOf(key: KeyPath): number | undefined
  /** The value of a key as the file has it: environment references are not replaced. */
  written(key: KeyPath): unknown
  /** Values that error messages must not show. */
  readonly secrets: ReadonlySet<string>
}

import type { ConfigData } from './schema/config-schema.ts'

/** A configuration that was checked: its keys, values and the names it uses for itself make sense. */
export interface Config {
  /** What it says, with references to the environment replaced. */
  readonly data: ConfigData
  /** Where it comes from, for what is said about it. */
  readonly source: ConfigSource
}

/** Where a value stands in a configuration: names of keys, and places in lists. */
export type KeyPath = readonly (string | number)[]

/** Where a configuration comes from, for what is said about it. */
export interface ConfigSource {
  /** Names the file. */
  readonly path: string
  /** Line of a key, or of the nearest one above it that is written; undefined where the format tells none. */
  lineOf(key: KeyPath): number | undefined
  /** The value of a key as it is written: references to the environment are not yet replaced. */
  written(key: KeyPath): unknown
  /** Values that must not be shown, whatever stands around them. */
  readonly secrets: ReadonlySet<string>
}

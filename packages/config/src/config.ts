import type { ConfigSource } from './parse/config-source.ts'
import type { ConfigData } from './schema/config-schema.ts'

/** A configuration that was checked: its keys, values and the names it uses for itself make sense. */
export interface Config {
  /** What it says, with references to the environment replaced. */
  readonly data: ConfigData
  /** Where it comes from, for what is said about it. */
  readonly source: ConfigSource
}

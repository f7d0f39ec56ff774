import type { Config } from '../config.ts'
import { checkConfig } from './check-config.ts'
import type { ParsedFile } from './parsed-file.ts'
import { readJson } from './read-json.ts'
import { readToml } from './read-toml.ts'
import { readYaml } from './read-yaml.ts'
import type { Environment } from './resolve-environment.ts'

export type ConfigFormat = 'yaml' | 'json' | 'toml'

export interface ParseConfigOptions {
  readonly format: ConfigFormat
  /** What `${NAME}`, `${env:NAME}` and `${NAME:-default}` in strings stand for. @default {} */
  readonly environment?: Environment | undefined
  /** Names the file in errors. @default 'config' */
  readonly path?: string | undefined
}

const READERS: Readonly<Record<ConfigFormat, (text: string) => ParsedFile>> = {
  yaml: readYaml,
  json: readJson,
  toml: readToml,
}

/**
 * Reads a configuration. References to the environment are replaced in strings of what the parser found, so that no value
 * can change the configuration's shape. Files it names are not read: `loadConfig` of `@parley/config/node` does that.
 * @throws ParleyError `config-invalid` with everything that is wrong: line, key and what must be there. It shows no value of the
 * environment and no text that stands in the place of something else.
 */
export function parseConfig(text: string, { format, environment = {}, path = 'config' }: ParseConfigOptions): Config {
  const file = READERS[format](text)
  return checkConfig(file, { path, environment })
}

import { checkOptions, type OptionKinds } from '@parley/core'
import type { Config } from '../schema/config.ts'
import { checkConfig, draftConfig } from './check-config.ts'
import type { ConfigDraft } from './config-draft.ts'
import type { ParsedFile } from './parsed-file.ts'
import { readJson } from './read-json.ts'
import { readToml } from './read-toml.ts'
import { readYaml } from './read-yaml.ts'
import type { Environment } from './resolve-environment.ts'

/** Format of a configuration text. */
export type ConfigFormat = 'yaml' | 'json' | 'toml'

/** Options of `parseConfig`. */
export interface ParseConfigOptions {
  /** Format of the text. */
  readonly format: ConfigFormat
  /** Values of `${NAME}`, `${env:NAME}` and `${NAME:-default}` in strings. @default {} */
  readonly environment?: Environment | undefined
  /** The name of the file in errors. @default 'config' */
  readonly path?: string | undefined
}

const READERS: Readonly<Record<ConfigFormat, (text: string) => ParsedFile>> = {
  yaml: readYaml,
  json: readJson,
  toml: readToml,
}

const OPTIONS: OptionKinds<ParseConfigOptions> = {
  format: ['json', 'yaml', 'toml'],
  environment: 'object',
  path: 'string',
}

/**
 * Reads a configuration. Environment references are replaced after parsing, so a value cannot change the shape of the
 * configuration. It does not read the files that the configuration names: `loadConfig` of `@parley/config/node` does.
 * @throws ParleyError `config-invalid` with all problems: line, key and the expected value. It never shows environment values, keys,
 * headers, or strings in the wrong place.
 */
export function parseConfig(text: string, options: ParseConfigOptions): Config {
  checkOptions('parseConfig', options, OPTIONS)
  const { format, environment = {}, path = 'config' } = options
  return checkConfig(READERS[format](text), { path, environment })
}

/** Reads a configuration with its problems. */
export function draftText(
  text: string,
  { format, environment = {}, path = 'config' }: ParseConfigOptions,
): ConfigDraft {
  return draftConfig(READERS[format](text), { path, environment })
}

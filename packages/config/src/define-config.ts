import type { Config } from './schema/config.ts'
import { checkConfig } from './parse/check-config.ts'
import type { ConfigData } from './schema/config-schema.ts'

/**
 * Checks a configuration that is written in code, as `parseConfig` checks a file. Environment references in strings are not
 * replaced.
 * @throws ParleyError `config-invalid` with all problems.
 */
export function defineConfig(data: ConfigData): Config {
  return checkConfig({ value: data, problems: [], lineOf: () => undefined }, { path: 'config' })
}

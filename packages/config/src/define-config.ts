import type { Config } from './config.ts'
import { checkConfig } from './parse/check-config.ts'
import type { ConfigData } from './schema/config-schema.ts'

/**
 * A configuration written in code, checked as a file is. Strings are taken as they are: no references to the environment.
 * @throws ParleyError `config-invalid` with everything that is wrong.
 */
export function defineConfig(data: ConfigData): Config {
  return checkConfig({ value: data, problems: [], lineOf: () => undefined }, { path: 'config' })
}

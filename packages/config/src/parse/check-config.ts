import type { Config, ConfigSource } from '../schema/config.ts'
import { checkReferences } from './check-references.ts'
import { checkSchema } from './check-schema.ts'
import type { ParsedFile } from './parsed-file.ts'
import { keyText, problemsError } from './problem.ts'
import { resolveEnvironment, type Environment } from './resolve-environment.ts'
import { secretsOf } from './secrets-of.ts'
import { valueAt } from './value-at.ts'

export interface CheckConfigOptions {
  /** The name of the file in errors. */
  readonly path: string
  /** Values of environment references. @default none: references are not replaced */
  readonly environment?: Environment | undefined
}

/** Checks parsed data. @throws ParleyError `config-invalid` with all problems, as `parseConfig` does. */
export function checkConfig(file: ParsedFile, { path, environment }: CheckConfigOptions): Config {
  const {
    value,
    problems: missing,
    secrets,
  } = environment === undefined ? { ...file, problems: [], secrets: [] } : resolveEnvironment(file.value, environment)
  const source: ConfigSource = {
    path,
    lineOf: file.lineOf,
    written: key => valueAt(file.value, key),
    secrets: new Set([...secrets, ...secretsOf(value)]),
  }
  if (file.problems.length > 0) throw problemsError(file.problems, source)
  const checked = checkSchema(value)
  const unset = new Set(missing.map(({ key }) => keyText(key)))
  const shape = 'problems' in checked ? checked.problems : []
  const others = [...shape, ...checkReferences(value, source.written)].filter(({ key }) => !unset.has(keyText(key)))
  const problems = [...missing, ...others]
  if (problems.length > 0 || !('data' in checked)) throw problemsError(problems, source)
  return { data: checked.data, source }
}

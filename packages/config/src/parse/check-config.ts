import type { Config, ConfigSource } from '../schema/config.ts'
import { checkReferences } from './check-references.ts'
import { checkSchema } from './check-schema.ts'
import type { ParsedFile } from './parsed-file.ts'
import { validPartOf, type ConfigDraft } from './config-draft.ts'
import { isNestedTooDeeply, tooDeep } from './nesting.ts'
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
export function checkConfig(file: ParsedFile, options: CheckConfigOptions): Config {
  const { data, source, problems } = draftConfig(file, options)
  if (problems.length > 0 || data === undefined) throw problemsError(problems, source)
  return { data, source }
}

/** Checks parsed data and keeps what is valid. */
export function draftConfig(file: ParsedFile, { path, environment }: CheckConfigOptions): ConfigDraft {
  if (isNestedTooDeeply(file.value)) {
    const source: ConfigSource = { path, lineOf: file.lineOf, written: () => undefined, secrets: new Set() }
    return { data: undefined, source, problems: [...file.problems, tooDeep], dropped: [] }
  }
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
  if (file.problems.length > 0) return { data: undefined, source, problems: file.problems, dropped: [] }
  const checked = checkSchema(value)
  const unset = new Set(missing.map(({ key }) => keyText(key)))
  const shape = 'problems' in checked ? checked.problems : []
  const others = [...shape, ...checkReferences(value, source.written)].filter(({ key }) => !unset.has(keyText(key)))
  const valid = 'data' in checked ? { data: checked.data, dropped: [] } : validPartOf(value)
  return { ...valid, source, problems: [...missing, ...others] }
}

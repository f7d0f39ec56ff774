import type { ModelRequest } from '@parley/core'
import { mergeFields, type Fields } from '@parley/provider-kit'
import { outputFields } from './output-fields.ts'
import { parallelCallsField } from './parallel-calls-field.ts'
import type { Quirks } from '../quirks/quirks.ts'
import { thinkingFields } from './thinking-fields.ts'

export interface SettingsFieldsOptions {
  readonly provider: string
  readonly model: string
  readonly quirks: Quirks
  readonly api: 'chat' | 'responses'
}

/**
 * Converts thinking, output format and parallel calls to request fields, and merges the fields that a user adds.
 * @throws `model-unsupported` for a setting that the server or the model does not support; `config-invalid` if a
 * setting and an added field conflict.
 */
export function settingsFields(
  { settings, tools }: ModelRequest,
  extra: Fields,
  options: SettingsFieldsOptions,
): Fields {
  const own = {
    ...thinkingFields(settings.thinking, options),
    ...outputFields(settings.output, options),
    ...(tools.length === 0 ? {} : parallelCallsField(settings.parallelToolCalls, options)),
  }
  return mergeFields({ own, extra, path: `settings.providerOptions.${options.provider}` })
}

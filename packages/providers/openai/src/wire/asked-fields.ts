import type { ModelRequest } from '@parley/core'
import { mergeFields, type Fields } from '@parley/provider-kit'
import { outputFields } from './output-fields.ts'
import { parallelCallsField } from './parallel-calls-field.ts'
import type { Quirks } from '../quirks/quirks.ts'
import { thinkingFields } from './thinking-fields.ts'

export interface AskedFieldsOptions {
  readonly provider: string
  readonly model: string
  readonly quirks: Quirks
  readonly api: 'chat' | 'responses'
}

/**
 * Thinking, output form and parallel calls as fields of the wire, together with the fields a user adds.
 * @throws `model-unsupported` for what the server or the model does not take; `config-invalid` when a setting and an
 * added field decide the same thing.
 */
export function askedFields({ settings, tools }: ModelRequest, extra: Fields, options: AskedFieldsOptions): Fields {
  const own = {
    ...thinkingFields(settings.thinking, options),
    ...outputFields(settings.output, options),
    ...(tools.length === 0 ? {} : parallelCallsField(settings.parallelToolCalls, options)),
  }
  return mergeFields({ own, extra, path: `settings.providerOptions.${options.provider}` })
}

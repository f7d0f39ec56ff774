import type { ThinkingSetting } from '@parley/core'
import { createRefuse } from '@parley/provider-kit'
import { effortFor, effortsOf } from '../quirks/efforts.ts'
import type { Quirks } from '../quirks/quirks.ts'

export interface ThinkingFieldsOptions {
  readonly provider: string
  readonly model: string
  readonly quirks: Quirks
  readonly api: 'chat' | 'responses'
}

/**
 * Converts a thinking setting to request fields; `{}` if the model needs no field for this setting.
 * @throws `model-unsupported` if the server or the model does not support the setting.
 */
export function thinkingFields(
  setting: ThinkingSetting | undefined,
  { provider, model, quirks, api }: ThinkingFieldsOptions,
): Readonly<Record<string, unknown>> {
  if (setting === undefined) return {}
  const refuse = createRefuse({ provider, model })
  const { thinking: form = 'effort', efforts: families = [] } = quirks
  if (form === 'none')
    throw refuse(`This server does not support thinking levels. Use settings.providerOptions.${provider} instead.`)
  if (typeof setting === 'object') {
    if (form !== 'reasoning') throw refuse('This server accepts no thinking budget. Set settings.thinking to a level.')
    return { reasoning: { max_tokens: Math.max(Math.ceil(setting.budgetTokens), 1) } }
  }
  const effort = effortFor(setting, effortsOf(model, families))
  if (effort === undefined)
    throw refuse(
      setting === 'off' ? 'This model always thinks.' : `This model does not support the thinking level '${setting}'.`,
    )
  if (effort === '') return {}
  if (form === 'switch') return switchFields(effort)
  return form === 'reasoning' || api === 'responses' ? { reasoning: { effort } } : { reasoning_effort: effort }
}

function switchFields(word: string): Readonly<Record<string, unknown>> {
  if (word === 'enabled' || word === 'disabled') return { thinking: { type: word } }
  return { thinking: { type: 'enabled' }, reasoning_effort: word }
}

import { ParleyError, type ThinkingSetting } from '@parley/core'
import { effortFor, effortsOf } from '../quirks/efforts.ts'
import type { Quirks } from '../quirks/quirks.ts'

export interface ThinkingFieldsOptions {
  readonly provider: string
  readonly model: string
  readonly quirks: Quirks
  readonly api: 'chat' | 'responses'
}

/**
 * A thinking setting as fields of the wire; none where the model does it anyway.
 * @throws `model-unsupported` for what the server or the model cannot do.
 */
export function thinkingFields(
  setting: ThinkingSetting | undefined,
  { provider, model, quirks, api }: ThinkingFieldsOptions,
): Readonly<Record<string, unknown>> {
  if (setting === undefined) return {}
  const refuse = (detail: string): ParleyError =>
    new ParleyError({ code: 'model-unsupported', provider, model, detail })
  const { thinking: form = 'effort', efforts: families = [] } = quirks
  if (form === 'none')
    throw refuse(`How it thinks is not set by levels. Use settings.providerOptions.${provider} instead.`)
  if (typeof setting === 'object') {
    if (form !== 'reasoning') throw refuse('It takes no thinking budget. Set settings.thinking to a level.')
    return { reasoning: { max_tokens: Math.max(Math.ceil(setting.budgetTokens), 1) } }
  }
  const effort = effortFor(setting, effortsOf(model, families))
  if (effort === undefined)
    throw refuse(setting === 'off' ? 'This model always thinks.' : `This model cannot be told to think '${setting}'.`)
  if (effort === '') return {}
  if (form === 'switch') return switchFields(effort)
  return form === 'reasoning' || api === 'responses' ? { reasoning: { effort } } : { reasoning_effort: effort }
}

function switchFields(word: string): Readonly<Record<string, unknown>> {
  if (word === 'enabled' || word === 'disabled') return { thinking: { type: word } }
  return { thinking: { type: 'enabled' }, reasoning_effort: word }
}

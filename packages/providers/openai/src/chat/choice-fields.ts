import type { ModelSettings } from '@parley/core'
import type { Fields, Refuse } from '@parley/provider-kit'
import type { Quirks } from '../quirks/quirks.ts'

/**
 * Converts top-k and the penalties to request fields of chat completions.
 * @throws `model-unsupported` for a setting that the server does not have.
 */
export function choiceFields(
  { topK, frequencyPenalty, presencePenalty }: ModelSettings,
  { topK: hasTopK = true, penalties = true }: Quirks,
  refuse: Refuse,
): Fields {
  if (topK !== undefined && !hasTopK) throw refuse('This server does not support topK.')
  if (frequencyPenalty !== undefined && !penalties) throw refuse('This server does not support frequencyPenalty.')
  if (presencePenalty !== undefined && !penalties) throw refuse('This server does not support presencePenalty.')
  return {
    ...(topK === undefined ? {} : { top_k: topK }),
    ...(frequencyPenalty === undefined ? {} : { frequency_penalty: frequencyPenalty }),
    ...(presencePenalty === undefined ? {} : { presence_penalty: presencePenalty }),
  }
}

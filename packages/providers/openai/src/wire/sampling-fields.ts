import type { ModelSettings } from '@parley/core'
import { createRefuse, fieldsOf, type Fields } from '@parley/provider-kit'
import type { Quirks } from '../quirks/quirks.ts'

export interface SamplingFieldsOptions {
  readonly provider: string
  readonly model: string
  readonly quirks: Quirks
  /** The request fields that set the thinking. */
  readonly asked: Fields
}

/**
 * When the models with an id reason. `unless-off`: unless the effort is `none`. `when-asked`: only if an effort is set. The first
 * match counts.
 */
const REASONING: readonly (readonly [id: RegExp, when: 'always' | 'unless-off' | 'when-asked' | 'never'])[] = [
  [/-chat/, 'never'],
  [/^(ft:)?o\d|^gpt-5(\.\d+)?-(pro|codex)|^codex|^gpt-5(?!\.)/, 'always'],
  [/^gpt-5\.[1-4](?!\d)/, 'when-asked'],
  [/^gpt-5\./, 'unless-off'],
]

const PENALTIES = ['frequencyPenalty', 'presencePenalty'] as const

/**
 * Converts temperature, top-p and stop sequences to request fields.
 * @throws `model-unsupported` for a setting that a model rejects while it reasons, and for too many stop sequences.
 */
export function samplingFields(
  settings: ModelSettings,
  { provider, model, quirks, asked }: SamplingFieldsOptions,
): Readonly<Record<string, unknown>> {
  const { temperature, topP, stopSequences } = settings
  const refuse = createRefuse({ provider, model })
  const { samplingWhileReasoning = true, maxStopSequences = Infinity } = quirks
  if (stopSequences !== undefined && stopSequences.length > maxStopSequences)
    throw refuse(`This server accepts at most ${maxStopSequences} stop sequences, not ${stopSequences.length}.`)
  const when = samplingWhileReasoning ? 'never' : (REASONING.find(([id]) => id.test(model))?.[1] ?? 'never')
  if (reasons(when, asked)) {
    if ((temperature ?? 1) !== 1) throw refuse('While this model reasons, temperature must be 1.')
    if ((topP ?? 1) !== 1) throw refuse('While this model reasons, topP must be 1.')
    for (const name of PENALTIES)
      if ((settings[name] ?? 0) !== 0) throw refuse(`While this model reasons, ${name} must be 0.`)
  }
  if (when === 'always' && stopSequences !== undefined) throw refuse('This model does not accept stop sequences.')
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(stopSequences === undefined ? {} : { stop: stopSequences }),
  }
}

function reasons(when: (typeof REASONING)[number][1], { reasoning_effort: word, reasoning }: Fields): boolean {
  const effort = word ?? fieldsOf(reasoning)?.['effort'] ?? undefined
  if (when === 'when-asked') return effort !== undefined && effort !== 'none'
  return when === 'always' || (when === 'unless-off' && effort !== 'none')
}

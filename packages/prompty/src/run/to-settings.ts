import type { Json, ModelSettings } from '@parley/core'
import type { PromptyAgent, PromptyOptions } from '../format/prompty-agent.ts'
import { spellingOf, type SpelledOption } from '../format/option-spelling.ts'
import { schemaOfProperties } from '../tools/schema-of-properties.ts'

type Extra = Record<string, Json>

/** Request fields of each option in the supported APIs. An option of the file overrides such a field in `additionalProperties`. */
const WIRE_NAMES: Readonly<Partial<Record<keyof PromptyOptions, readonly string[]>>> = {
  temperature: ['temperature'],
  maxOutputTokens: ['max_tokens', 'max_completion_tokens', 'max_output_tokens'],
  topP: ['top_p'],
  topK: ['top_k'],
  frequencyPenalty: ['frequency_penalty'],
  presencePenalty: ['presence_penalty'],
  seed: ['seed'],
  stopSequences: ['stop', 'stop_sequences'],
  allowMultipleToolCalls: ['parallel_tool_calls'],
}
const REQUEST_FIELDS = ['model', 'messages', 'input', 'prompt', 'instructions', 'system', 'tools', 'stream']
const OUTPUT_FIELDS = ['response_format', 'text', 'output_config']
/**
 * Output limit for Anthropic, if a file sets none. The Messages API requires a limit, and the format prescribes this
 * one.
 */
const ANTHROPIC_OUTPUT_TOKENS = 4096

/** Converts the options of a file to settings of a model call. */
export function toSettings({ model, outputs }: PromptyAgent, provider: string): ModelSettings {
  const options = model?.options ?? {}
  const { temperature, topP, seed, stopSequences, allowMultipleToolCalls } = options
  const isAnthropic = provider === 'anthropic'
  const maxOutputTokens = options.maxOutputTokens ?? (isAnthropic ? ANTHROPIC_OUTPUT_TOKENS : undefined)
  const extra = extraFields(options, {
    provider,
    hasOutputs: outputs.length > 0,
    hasLimit: maxOutputTokens !== undefined,
  })
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(topP === undefined ? {} : { topP }),
    ...(seed === undefined ? {} : { seed }),
    ...(stopSequences === undefined ? {} : { stopSequences }),
    ...(allowMultipleToolCalls === undefined ? {} : { parallelToolCalls: allowMultipleToolCalls }),
    ...(outputs.length === 0
      ? {}
      : {
          output: {
            name: 'structured_output',
            schema: { ...schemaOfProperties(outputs), additionalProperties: false },
          },
        }),
    ...(Object.keys(extra).length === 0 ? {} : { providerOptions: { [provider]: extra } }),
  }
}

/** Returns `additionalProperties` without the fields that options of the file set. */
export function addedFields(options: PromptyOptions = {}): Extra {
  const taken = new Set(REQUEST_FIELDS)
  for (const [option, names] of Object.entries(WIRE_NAMES))
    if (options[option as keyof PromptyOptions] !== undefined) names.forEach(name => taken.add(name))
  return Object.fromEntries(Object.entries(options.additionalProperties ?? {}).filter(([name]) => !taken.has(name)))
}

interface ExtraOptions {
  readonly provider: string
  readonly hasOutputs: boolean
  readonly hasLimit: boolean
}

function extraFields(options: PromptyOptions, { provider, hasOutputs, hasLimit }: ExtraOptions): Extra {
  const extra = addedFields(options)
  if (hasLimit) for (const name of WIRE_NAMES.maxOutputTokens ?? []) delete extra[name]
  if (hasOutputs) for (const name of OUTPUT_FIELDS) delete extra[name]
  const { below, names } = spellingOf(provider)
  const own: Extra = {}
  for (const [option, name] of Object.entries(names)) {
    const value = options[option as SpelledOption]
    if (value !== undefined) own[name] = value
  }
  if (below === undefined || Object.keys(own).length === 0) return { ...extra, ...own }
  const inner = extra[below]
  return { ...extra, [below]: { ...(isRecord(inner) ? inner : {}), ...own } }
}

function isRecord(value: Json | undefined): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

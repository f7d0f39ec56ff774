import { ParleyError, type ModelSettings, checkOptions } from '@parley/core'
import { isRecord } from '@parley/core/json-schema'

/** A rule for a value, and the text that follows `must` in the error. */
interface Rule {
  readonly holds: (value: unknown) => boolean
  readonly must: string
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isCount = (value: unknown): boolean => isNumber(value) && Number.isInteger(value) && value > 0
const LEVELS: readonly unknown[] = ['off', 'minimal', 'low', 'medium', 'high']
const CACHE_FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  system: value => typeof value === 'boolean',
  tools: value => typeof value === 'boolean',
  messages: value => typeof value === 'boolean',
  ttl: value => value === '5m' || value === '1h',
}

const RULES: Readonly<Record<keyof ModelSettings, Rule>> = {
  maxOutputTokens: { holds: isCount, must: 'be a whole number above 0' },
  temperature: { holds: value => isNumber(value) && value >= 0, must: 'be a number of at least 0' },
  topP: { holds: value => isNumber(value) && value >= 0 && value <= 1, must: 'be a number from 0 to 1' },
  topK: { holds: isCount, must: 'be a whole number above 0' },
  frequencyPenalty: { holds: isPenalty, must: 'be a number from -2 to 2' },
  presencePenalty: { holds: isPenalty, must: 'be a number from -2 to 2' },
  toolChoice: { holds: isToolChoice, must: 'be auto, none, required or { name }' },
  stopSequences: {
    holds: value => Array.isArray(value) && value.every(item => typeof item === 'string' && item !== ''),
    must: 'be a list of texts',
  },
  seed: { holds: value => Number.isInteger(value), must: 'be a whole number' },
  thinking: {
    holds: value => LEVELS.includes(value) || (isRecord(value) && isCount(value['budgetTokens'])),
    must: 'be off, minimal, low, medium, high or { budgetTokens }',
  },
  cache: { holds: isCacheSetting, must: 'be auto, off or { system, tools, messages, ttl: 5m | 1h }' },
  output: {
    holds: value =>
      value === 'json' || (isRecord(value) && typeof value['name'] === 'string' && isRecord(value['schema'])),
    must: 'be json or { name, schema }',
  },
  parallelToolCalls: { holds: value => typeof value === 'boolean', must: 'be true or false' },
  providerOptions: {
    holds: value => isRecord(value) && Object.values(value).every(isRecord),
    must: 'be fields by provider name',
  },
}

/** Names of the settings. `RULES` checks types and ranges together. */
export const SETTINGS = Object.fromEntries(Object.keys(RULES).map(name => [name, 'any' as const]))

/**
 * Checks the settings of model calls.
 * @throws ParleyError `config-invalid` if a setting is unknown or invalid for every model.
 */
export function checkSettings(settings: ModelSettings, path: string): void {
  checkOptions(path, settings, SETTINGS)
  for (const [field, { holds, must }] of Object.entries(RULES)) {
    const value = settings[field as keyof ModelSettings]
    if (value !== undefined && !holds(value))
      throw invalid(`${path}.${field}`, `is ${JSON.stringify(value)}, it must ${must}`)
  }
}

function isPenalty(value: unknown): boolean {
  return isNumber(value) && value >= -2 && value <= 2
}

function isToolChoice(value: unknown): boolean {
  if (value === 'auto' || value === 'none' || value === 'required') return true
  return isRecord(value) && typeof value['name'] === 'string' && Object.keys(value).length === 1
}

function isCacheSetting(value: unknown): boolean {
  if (value === 'auto' || value === 'off') return true
  return (
    isRecord(value) &&
    Object.entries(value).every(([field, part]) => part === undefined || CACHE_FIELDS[field]?.(part) === true)
  )
}

function invalid(path: string, detail: string): ParleyError {
  return new ParleyError({ code: 'config-invalid', path, detail })
}

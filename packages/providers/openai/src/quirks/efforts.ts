import type { ThinkingSetting } from '@parley/core'

type Level = Exclude<ThinkingSetting, object>

/**
 * What a model is told for each level. A level that is absent is raised to the next one that is there; `off` that is
 * absent cannot be had, and `''` needs no word.
 */
export type Efforts = Readonly<Partial<Record<Level, string>>>

/** Efforts by model id; the first match counts. */
export type EffortFamilies = readonly (readonly [id: RegExp, efforts: Efforts])[]

const LOW_TO_HIGH = { low: 'low', medium: 'medium', high: 'high' } as const

/** For models that decide themselves, whatever they are told. */
const FIXED: Efforts = {}
/** For models that do not think. */
const THOUGHTLESS: Efforts = { off: '' }
/** For models of which nothing is known. */
const COMMON_EFFORTS: Efforts = { off: 'none', ...LOW_TO_HIGH }

// As of August 2026, from what the models answered to each value.
export const openaiEfforts: EffortFamilies = [
  [/^gpt-5-chat/, THOUGHTLESS],
  [/^gpt-5\.\d+-chat|^o1-(mini|preview)/, FIXED],
  [/^gpt-5(\.\d+)?-pro/, { high: 'high' }],
  [/^(gpt-5(\.\d+)?-)?codex|^(ft:)?o\d/, LOW_TO_HIGH],
  [/^gpt-5(?!\.)/, { minimal: 'minimal', ...LOW_TO_HIGH }],
  [/^(ft:)?(chat)?gpt-(4|3)/, THOUGHTLESS],
]

export const groqEfforts: EffortFamilies = [
  [/gpt-oss/, LOW_TO_HIGH],
  [/qwen-?3/, { off: 'none', high: 'default' }],
  [/deepseek-r1|qwq/, FIXED],
  [/llama|compound|kimi|gemma/, THOUGHTLESS],
]

export const xaiEfforts: EffortFamilies = [
  [/non-reasoning|grok-2/, THOUGHTLESS],
  [/grok-3-mini/, { low: 'low', high: 'high' }],
  [/grok-3/, THOUGHTLESS],
  [/grok-4[.-]5/, LOW_TO_HIGH],
  [/grok-4[.-]3/, COMMON_EFFORTS],
  [/grok-4|grok-code/, FIXED],
]

// Words of `thinking.type`, and of `reasoning_effort` for those that always think.
export const zaiEfforts: EffortFamilies = [
  [/glm-5\.3/, { low: 'low', high: 'high' }],
  [/glm-(4\.[5-9]|[5-9])/, { off: 'disabled', high: 'enabled' }],
  [/glm-4/, THOUGHTLESS],
]

export const openrouterEfforts: EffortFamilies = [[/./, { off: 'none', minimal: 'minimal', ...LOW_TO_HIGH }]]

const RISING = ['minimal', 'low', 'medium', 'high'] as const

/** The word for a level: its own, or that of the next higher level the model has; undefined when there is none. */
export function effortFor(level: Level, efforts: Efforts): string | undefined {
  if (level === 'off') return efforts.off
  const reachable = RISING.slice(RISING.indexOf(level)).find(name => efforts[name] !== undefined)
  return reachable === undefined ? undefined : efforts[reachable]
}

/** The efforts of a model, by the first family its id belongs to. */
export function effortsOf(id: string, families: EffortFamilies): Efforts {
  return families.find(([pattern]) => pattern.test(id))?.[1] ?? COMMON_EFFORTS
}

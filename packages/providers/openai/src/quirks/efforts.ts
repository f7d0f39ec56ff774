import type { ThinkingSetting } from '@parley/core'

type Level = Exclude<ThinkingSetting, object>

/**
 * The word that a model gets for each level. A missing level is raised to the next higher one. If `off` is missing, the
 * model always thinks; if a word is `''`, nothing is sent.
 */
export type Efforts = Readonly<Partial<Record<Level, string>>>

/** Efforts by model id. The first match counts. */
export type EffortFamilies = readonly (readonly [id: RegExp, efforts: Efforts])[]

const LOW_TO_HIGH = { low: 'low', medium: 'medium', high: 'high' } as const

/** Efforts of models whose thinking cannot be set. */
const FIXED: Efforts = {}
/** Efforts of models that do not think. */
const NO_THINKING: Efforts = { off: '' }
/** Efforts of unknown models. */
const COMMON_EFFORTS: Efforts = { off: 'none', ...LOW_TO_HIGH }

// August 2026, from the responses of the models to each value.
export const openaiEfforts: EffortFamilies = [
  [/^gpt-5-chat/, NO_THINKING],
  [/^gpt-5\.\d+-chat|^o1-(mini|preview)/, FIXED],
  [/^gpt-5(\.\d+)?-pro/, { high: 'high' }],
  [/^(gpt-5(\.\d+)?-)?codex|^(ft:)?o\d/, LOW_TO_HIGH],
  [/^gpt-5(?!\.)/, { minimal: 'minimal', ...LOW_TO_HIGH }],
  [/^(ft:)?(chat)?gpt-(4|3)/, NO_THINKING],
]

export const groqEfforts: EffortFamilies = [
  [/gpt-oss/, LOW_TO_HIGH],
  [/qwen-?3/, { off: 'none', high: 'default' }],
  [/deepseek-r1|qwq/, FIXED],
  [/llama|compound|kimi|gemma/, NO_THINKING],
]

export const xaiEfforts: EffortFamilies = [
  [/non-reasoning|grok-2/, NO_THINKING],
  [/grok-3-mini/, { low: 'low', high: 'high' }],
  [/grok-3/, NO_THINKING],
  [/grok-4[.-]5/, LOW_TO_HIGH],
  [/grok-4[.-]3/, COMMON_EFFORTS],
  [/grok-4|grok-code/, FIXED],
]

// Values of `thinking.type`; for models that always think, of `reasoning_effort`.
export const zaiEfforts: EffortFamilies = [
  [/glm-5\.3/, { low: 'low', high: 'high' }],
  [/glm-(4\.[5-9]|[5-9])/, { off: 'disabled', high: 'enabled' }],
  [/glm-4/, NO_THINKING],
]

export const openrouterEfforts: EffortFamilies = [[/./, { off: 'none', minimal: 'minimal', ...LOW_TO_HIGH }]]

const RISING = ['minimal', 'low', 'medium', 'high'] as const

/** Returns the word for a level, else for the next higher level of the model; `undefined` if the model has neither. */
export function effortFor(level: Level, efforts: Efforts): string | undefined {
  if (level === 'off') return efforts.off
  const reachable = RISING.slice(RISING.indexOf(level)).find(name => efforts[name] !== undefined)
  return reachable === undefined ? undefined : efforts[reachable]
}

/** Returns the efforts of a model, by the first family that its id matches. */
export function effortsOf(id: string, families: EffortFamilies): Efforts {
  return families.find(([pattern]) => pattern.test(id))?.[1] ?? COMMON_EFFORTS
}

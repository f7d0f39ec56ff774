/** How the amount of thinking is set for a family of models. */
export type ThinkingSupport =
  /** The models do not think. */
  | { readonly kind: 'none' }
  /** Thinking is set by a budget of `min` to `max` tokens. If `canStop` is true, 0 turns thinking off. */
  | { readonly kind: 'budget'; readonly min: number; readonly max: number; readonly canStop: boolean }
  /** Thinking is set by one of these levels, lowest first. The models always think. */
  | { readonly kind: 'level'; readonly levels: readonly ThinkingLevel[] }

export type ThinkingLevel = 'minimal' | 'low' | 'medium' | 'high'

const FOUR_LEVELS = { kind: 'level', levels: ['minimal', 'low', 'medium', 'high'] } as const
const THREE_LEVELS = { kind: 'level', levels: ['low', 'medium', 'high'] } as const

// From the tables of docs.cloud.google.com and ai.google.dev, November 2026. The first match counts.
const FAMILIES: readonly (readonly [id: RegExp, support: ThinkingSupport])[] = [
  [/(^|\/)(gemma|learnlm|gemini-(1|2\.0))|-(image|tts|live|audio|transcribe)/, { kind: 'none' }],
  [/(^|\/)gemini-2\.5-pro/, { kind: 'budget', min: 128, max: 32_768, canStop: false }],
  [/(^|\/)gemini-2\.5-flash-lite/, { kind: 'budget', min: 512, max: 24_576, canStop: true }],
  [/(^|\/)gemini-2\.5-flash/, { kind: 'budget', min: 1, max: 24_576, canStop: true }],
  [/(^|\/)gemini-3-pro/, { kind: 'level', levels: ['low', 'high'] }],
  [/(^|\/)gemini-(3-flash|3(\.\d+)?-flash-lite)/, FOUR_LEVELS],
  // Unknown newer models are assumed to support what all models since Gemini 3 support.
  [/(^|\/)gemini-([3-9]|\d\d)/, THREE_LEVELS],
]

/** Returns how thinking is set for a model; `undefined` if its family is unknown. */
export function thinkingSupportOf(id: string): ThinkingSupport | undefined {
  return FAMILIES.find(([pattern]) => pattern.test(id))?.[1]
}

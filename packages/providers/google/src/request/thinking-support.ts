/** How a family of models is told how much to think. */
export type ThinkingSupport =
  /** It does not think. */
  | { readonly kind: 'none' }
  /** By a number of tokens from `min` to `max`; 0 turns it off where `canStop`. */
  | { readonly kind: 'budget'; readonly min: number; readonly max: number; readonly canStop: boolean }
  /** By one of these levels, lowest first; it never stops thinking. */
  | { readonly kind: 'level'; readonly levels: readonly ThinkingLevel[] }

export type ThinkingLevel = 'minimal' | 'low' | 'medium' | 'high'

const FOUR_LEVELS = { kind: 'level', levels: ['minimal', 'low', 'medium', 'high'] } as const
const THREE_LEVELS = { kind: 'level', levels: ['low', 'medium', 'high'] } as const

// The tables of docs.cloud.google.com and ai.google.dev, as of November 2026; the first that matches counts.
const FAMILIES: readonly (readonly [id: RegExp, support: ThinkingSupport])[] = [
  [/(^|\/)(gemma|learnlm|gemini-(1|2\.0))|-(image|tts|live|audio|transcribe)/, { kind: 'none' }],
  [/(^|\/)gemini-2\.5-pro/, { kind: 'budget', min: 128, max: 32_768, canStop: false }],
  [/(^|\/)gemini-2\.5-flash-lite/, { kind: 'budget', min: 512, max: 24_576, canStop: true }],
  [/(^|\/)gemini-2\.5-flash/, { kind: 'budget', min: 1, max: 24_576, canStop: true }],
  [/(^|\/)gemini-3-pro/, { kind: 'level', levels: ['low', 'high'] }],
  [/(^|\/)gemini-(3-flash|3(\.\d+)?-flash-lite)/, FOUR_LEVELS],
  // Later ones are taken to know what all of this generation know.
  [/(^|\/)gemini-([3-9]|\d\d)/, THREE_LEVELS],
]

/** How the model of this id thinks; undefined when it is none of a known family. */
export function thinkingSupportOf(id: string): ThinkingSupport | undefined {
  return FAMILIES.find(([pattern]) => pattern.test(id))?.[1]
}

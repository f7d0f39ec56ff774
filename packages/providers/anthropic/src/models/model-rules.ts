/** What a family of models takes, where the API is not one for all. */
export interface ModelRules {
  /**
   * How thinking is asked for: not at all, by a budget of tokens, by effort (`adaptive`), or either way.
   * Effort is for models that decide themselves when to think.
   */
  readonly thinking: 'none' | 'budget' | 'adaptive' | 'budget-or-adaptive'
  /** The `thinking.type` that turns it off; `absent` when it is off unless asked for, `never` when it is always on. */
  readonly thinkingOff: 'absent' | 'disabled' | 'between_tools' | 'never'
  /** Whether it takes both of temperature and top-p, one of them, or neither. */
  readonly sampling: 'both' | 'one' | 'none'
  /** When it can be made to call a tool. */
  readonly forcedTools: 'always' | 'without-thinking' | 'never'
  /** Whether it can be held to a schema. */
  readonly jsonOutput: boolean
  /** `max_tokens`, which the API demands, when the caller names none. */
  readonly defaultOutputTokens: number
}

const claude3: ModelRules = {
  thinking: 'none',
  thinkingOff: 'absent',
  sampling: 'both',
  forcedTools: 'always',
  jsonOutput: false,
  defaultOutputTokens: 4096,
}
const claude35: ModelRules = { ...claude3, defaultOutputTokens: 8192 }
const claude4: ModelRules = {
  ...claude3,
  thinking: 'budget',
  forcedTools: 'without-thinking',
  defaultOutputTokens: 32_000,
}
const claude41: ModelRules = { ...claude4, sampling: 'one' }
const claude45: ModelRules = { ...claude41, jsonOutput: true, defaultOutputTokens: 64_000 }
const claude46: ModelRules = { ...claude45, thinking: 'budget-or-adaptive' }
const claude47: ModelRules = { ...claude45, thinking: 'adaptive', sampling: 'none' }
const claude48: ModelRules = { ...claude47, forcedTools: 'always' }
const claude5: ModelRules = { ...claude48, thinkingOff: 'disabled' }
const sonnet55: ModelRules = { ...claude5, thinkingOff: 'between_tools', forcedTools: 'never' }
const alwaysThinking: ModelRules = { ...claude5, thinkingOff: 'never', forcedTools: 'never' }

/** A Claude nobody here knows yet: the newest rules, leaving to the server what it may take or refuse. */
const newer: ModelRules = { ...claude5, sampling: 'both' }
/** A model of another maker behind the same API. */
const foreign: ModelRules = { ...claude4, thinkingOff: 'disabled', defaultOutputTokens: 8192 }

// As platform.claude.com/docs (models, thinking, effort, structured outputs) had it in October 2026. First match counts.
const FAMILIES: readonly (readonly [id: RegExp, rules: ModelRules])[] = [
  [/(fable|mythos)-/, alwaysThinking],
  [/opus-5-5/, alwaysThinking],
  [/sonnet-5-5/, sonnet55],
  [/(opus|sonnet)-5(?!\d)(?!-[1-9]\b)|haiku-5-5/, claude5],
  [/opus-4-8/, claude48],
  [/opus-4-7/, claude47],
  [/(opus|sonnet)-4-6/, claude46],
  [/(opus|sonnet|haiku)-4-5/, claude45],
  [/opus-4-1(?!\d)/, claude41],
  [/(opus|sonnet)-4(?!\d)(?!-[1-9]\b)/, claude4],
  [/3-7-sonnet/, claude4],
  [/3-5-(sonnet|haiku)/, claude35],
  [/claude-3-/, claude3],
  [/claude/, newer],
]

/** The rules for a model id, also as gateways spell it (`anthropic/claude-opus-4.7`, `claude-opus-4-1@20250805`). */
export function rulesOfModel(id: string): ModelRules {
  const name = id.toLowerCase().replaceAll('.', '-')
  if (!name.includes('claude')) return foreign
  return FAMILIES.find(([pattern]) => pattern.test(name))?.[1] ?? newer
}

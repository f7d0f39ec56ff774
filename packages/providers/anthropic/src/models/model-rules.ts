/** The settings that a family of models supports. Contains only settings in which families differ. */
export interface ModelRules {
  /**
   * How thinking is requested: not at all, by a budget of tokens, by effort (`adaptive`), or by either. With effort, the model
   * decides itself when to think.
   */
  readonly thinking: 'none' | 'budget' | 'adaptive' | 'budget-or-adaptive'
  /** The `thinking.type` that turns thinking off. `absent`: thinking is off by default. `never`: thinking is always on. */
  readonly thinkingOff: 'absent' | 'disabled' | 'between_tools' | 'never'
  /** Whether a request may set both temperature and top-p, one of them, or neither. */
  readonly sampling: 'both' | 'one' | 'none'
  /** When a request can force a tool call. */
  readonly forcedTools: 'always' | 'without-thinking' | 'never'
  /** Whether the model supports output schemas and strict tools. */
  readonly jsonOutput: boolean
  /** Value of `max_tokens`, which the API requires, if the settings give no `maxOutputTokens`. */
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

/** Rules for unknown Claude models: the newest rules, except that the server decides about temperature and top-p. */
const newer: ModelRules = { ...claude5, sampling: 'both' }
/** Rules for models of other companies that are served by the same API. */
const foreign: ModelRules = { ...claude4, thinkingOff: 'disabled', defaultOutputTokens: 8192 }

// From platform.claude.com/docs (models, thinking, effort, structured outputs), October 2026. The first match counts.
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

/** Returns the rules for a model id, also in the form of gateways (`anthropic/claude-opus-4.7`, `claude-opus-4-1@20250805`). */
export function rulesOfModel(id: string): ModelRules {
  const name = id.toLowerCase().replaceAll('.', '-')
  if (!name.includes('claude')) return foreign
  return FAMILIES.find(([pattern]) => pattern.test(name))?.[1] ?? newer
}

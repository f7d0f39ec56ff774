/** The names that a provider has for the options that `ModelSettings` does not have. */
export interface OptionSpelling {
  /** The request field that contains the options. @default the request itself */
  readonly below?: string | undefined
  /** The request fields by option. The provider does not have the missing options. */
  readonly names: Readonly<Partial<Record<SpelledOption, string>>>
}

export type SpelledOption = 'topK' | 'frequencyPenalty' | 'presencePenalty'

const SNAKE = { topK: 'top_k', frequencyPenalty: 'frequency_penalty', presencePenalty: 'presence_penalty' }
const OPENAI: OptionSpelling = {
  names: { frequencyPenalty: SNAKE.frequencyPenalty, presencePenalty: SNAKE.presencePenalty },
}
const SPELLINGS: ReadonlyMap<string, OptionSpelling> = new Map([
  ['openai', OPENAI],
  ['azure', OPENAI],
  ['foundry', OPENAI],
  ['anthropic', { names: { topK: SNAKE.topK } }],
  [
    'google',
    {
      below: 'generationConfig',
      names: { topK: 'topK', frequencyPenalty: 'frequencyPenalty', presencePenalty: 'presencePenalty' },
    },
  ],
  ['ollama', { below: 'options', names: SNAKE }],
])

/** Returns the spelling of a provider. An unknown provider counts as an OpenAI-compatible server that has all options. */
export function spellingOf(provider: string): OptionSpelling {
  return SPELLINGS.get(provider) ?? { names: SNAKE }
}

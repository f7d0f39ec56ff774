/** Options the runtime has no name for, as a provider spells them. */
export interface OptionSpelling {
  /** The field of the request they go below; the request itself when absent. */
  readonly below?: string | undefined
  /** An option that is not here, the provider does not have. */
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

/** How a provider spells them; one nobody knows is taken for a server of OpenAI's shape that knows all. */
export function spellingOf(provider: string): OptionSpelling {
  return SPELLINGS.get(provider) ?? { names: SNAKE }
}

import * as z from 'zod'
import { retrySchema } from './retry-schema.ts'
import { anyJson, count, lasting, words } from './scalars.ts'

const timeoutsSchema = z.strictObject({
  connectMs: lasting.optional().describe('Longest wait for the response headers.'),
  firstByteMs: lasting.optional().describe('Longest wait from the headers to the first byte.'),
  idleMs: lasting.optional().describe('Longest wait between two pieces of the answer.'),
  totalMs: lasting.optional().describe('Longest time of the whole call, with its retries.'),
})

/** OpenAI-compatible servers whose differences `@parley/openai` knows. */
const quirksSchema = z.enum([
  'openai',
  'azure',
  'openrouter',
  'groq',
  'deepseek',
  'xai',
  'mistral',
  'moonshot',
  'perplexity',
  'together',
  'cerebras',
  'zai',
  'vllm',
  'llamacpp',
  'lmstudio',
  'ollama',
  'generic',
])

/** Keys that only one type of provider has, by type. */
const own = {
  openai: {
    api: z.enum(['chat', 'responses']).optional().describe('openai only: which of its two APIs is used.'),
    quirks: quirksSchema.optional().describe('openai only: differences of the server. Default: detected from baseUrl.'),
    organization: words.optional().describe('openai only: the organization of the requests.'),
  },
  anthropic: {
    version: words.optional().describe('anthropic only: the header anthropic-version.'),
    betas: z.array(words).optional().describe('anthropic only: the header anthropic-beta.'),
  },
  google: {},
  ollama: {
    contextWindow: count.optional().describe('ollama only: context window in tokens, sent as num_ctx.'),
    overflow: z.enum(['fail', 'truncate']).optional().describe('ollama only: what happens to a longer conversation.'),
    keepAlive: z
      .union([z.string(), z.number()])
      .optional()
      .describe("ollama only: how long the model stays in memory, as '10m' or in seconds."),
  },
}

/** Names of the keys above, by type. Providers of other types must not set them. */
export const ownKeys: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(own).map(([type, fields]) => [type, Object.keys(fields)]),
)

export const providerSchema = z
  .strictObject({
    type: words
      .optional()
      .describe('Name of a registered provider type, such as openai. Default: the name of this provider.'),
    apiKey: words
      .optional()
      .describe("API key, as a reference ${NAME} to an environment variable. Default: the provider's usual variable."),
    baseUrl: words.optional().describe('Address of the API.'),
    headers: z.record(words, z.string()).optional().describe('Additional headers of each request.'),
    wire: z
      .enum(['stream', 'json'])
      .optional()
      .describe('Whether answers are streamed or sent as one JSON document. Default: stream.'),
    timeouts: timeoutsSchema.optional(),
    retry: retrySchema.optional(),
    ...own.openai,
    ...own.anthropic,
    ...own.google,
    ...own.ollama,
    options: z
      .record(words, anyJson)
      .optional()
      .describe('Options for a provider type of your own, passed to its factory unchanged.'),
  })
  .describe('A connection to a model service.')

export type ProviderData = z.output<typeof providerSchema>

const usd = z.number().min(0)
const tokenPrices = {
  input: usd,
  output: usd,
  cacheRead: usd.optional().describe('Default: the input price.'),
  cacheWrite: usd.optional().describe('Default: the input price.'),
  cacheWrite1h: usd.optional().describe('Price of tokens that are cached for an hour. Default: the cacheWrite price.'),
}

const pricingSchema = z.strictObject({
  ...tokenPrices,
  tiers: z
    .array(z.strictObject({ aboveInput: z.int().min(0), ...tokenPrices }))
    .optional()
    .describe('Prices of calls with more than aboveInput input tokens.'),
  source: words.optional().describe('Address of the page with the prices.'),
  date: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .optional()
    .describe('Day on which the prices were read, YYYY-MM-DD.'),
})

export const modelSchema = z
  .strictObject({
    provider: words.describe("Name of a provider in 'providers'."),
    id: words.describe("The provider's id of the model."),
    contextWindow: count.optional().describe('Maximum number of input and output tokens together.'),
    maxOutputTokens: count.optional(),
    structuredOutput: z.enum(['schema', 'json', 'none']).optional(),
    structuredOutputWithTools: z.boolean().optional(),
    toolCalls: z.boolean().optional(),
    pricing: pricingSchema.optional().describe('Prices in US dollars per million tokens.'),
  })
  .describe("A model with a name of its own. Its fields override the provider's facts about the model.")

export type ModelData = z.output<typeof modelSchema>

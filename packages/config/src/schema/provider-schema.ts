import * as z from 'zod'
import { retrySchema } from './retry-schema.ts'
import { anyJson, count, lasting, words } from './scalars.ts'

const timeoutsSchema = z.strictObject({
  connectMs: lasting.optional().describe('Until the response headers.'),
  firstByteMs: lasting.optional().describe('From the headers to the first byte.'),
  idleMs: lasting.optional().describe('Between two pieces of the answer.'),
  totalMs: lasting.optional().describe('For the whole call, with its retries.'),
})

/** Servers of OpenAI's shape that `@parley/openai` knows the differences of. */
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

/** What only providers of one type take, by type. */
const own = {
  openai: {
    api: z.enum(['chat', 'responses']).optional().describe('Of openai: which of its two APIs is spoken.'),
    quirks: quirksSchema.optional().describe('Of openai: how the server differs. Default: by baseUrl.'),
    organization: words.optional().describe('Of openai.'),
  },
  anthropic: {
    version: words.optional().describe('Of anthropic: sent as anthropic-version.'),
    betas: z.array(words).optional().describe('Of anthropic: sent as anthropic-beta.'),
  },
  google: {},
  ollama: {
    contextWindow: count.optional().describe('Of ollama: tokens of one conversation, sent as num_ctx.'),
    overflow: z.enum(['fail', 'truncate']).optional().describe('Of ollama: what becomes of a longer one.'),
    keepAlive: z
      .union([z.string(), z.number()])
      .optional()
      .describe("Of ollama: how long the model stays in memory, as '10m' or in seconds."),
  },
}

/** Names of the keys above, by type; a provider of another type takes none of them. */
export const ownKeys: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(own).map(([type, fields]) => [type, Object.keys(fields)]),
)

export const providerSchema = z
  .strictObject({
    type: words.optional().describe('Name of what the program registers: openai, say. Default: the name here.'),
    apiKey: words.optional().describe('${NAME} of an environment variable. Default: what is customary there.'),
    baseUrl: words.optional().describe('Address of the API.'),
    headers: z.record(words, z.string()).optional().describe('More headers for each request.'),
    wire: z.enum(['stream', 'json']).optional().describe('json asks for answers in one piece. Default: stream.'),
    timeouts: timeoutsSchema.optional(),
    retry: retrySchema.optional(),
    ...own.openai,
    ...own.anthropic,
    ...own.google,
    ...own.ollama,
    options: z
      .record(words, anyJson)
      .optional()
      .describe('For types of your own: handed to what makes the provider as it is.'),
  })
  .describe('A connection to a service that has models.')

export type ProviderData = z.output<typeof providerSchema>

const usd = z.number().min(0)
const tokenPrices = {
  input: usd,
  output: usd,
  cacheRead: usd.optional().describe('Default: as input.'),
  cacheWrite: usd.optional().describe('Default: as input.'),
  cacheWrite1h: usd.optional().describe('Of what is cached for an hour. Default: as cacheWrite.'),
}

const pricingSchema = z.strictObject({
  ...tokenPrices,
  tiers: z
    .array(z.strictObject({ aboveInput: z.int().min(0), ...tokenPrices }))
    .optional()
    .describe('Prices of calls whose input is longer than aboveInput tokens.'),
  source: words.optional().describe('Where the figures were read. Default: this file.'),
  date: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .describe('When they were read, YYYY-MM-DD.'),
})

export const modelSchema = z
  .strictObject({
    provider: words.describe("A name of 'providers'."),
    id: words.describe("The model's id there."),
    contextWindow: count.optional().describe('Tokens of input and output together.'),
    maxOutputTokens: count.optional(),
    structuredOutput: z.enum(['schema', 'json', 'none']).optional(),
    structuredOutputWithTools: z.boolean().optional(),
    toolCalls: z.boolean().optional(),
    pricing: pricingSchema.optional().describe('US dollars per million tokens.'),
  })
  .describe('A model by a name of its own; what is said about it counts more than what the provider knows.')

export type ModelData = z.output<typeof modelSchema>

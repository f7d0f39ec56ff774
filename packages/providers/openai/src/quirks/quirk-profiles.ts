import { groqEfforts, openaiEfforts, openrouterEfforts, xaiEfforts, zaiEfforts } from './efforts.ts'
import type { Quirks } from './quirks.ts'

/** Name of a built-in profile. */
export type QuirkProfileName =
  | 'openai'
  | 'azure'
  | 'openrouter'
  | 'groq'
  | 'deepseek'
  | 'xai'
  | 'mistral'
  | 'moonshot'
  | 'perplexity'
  | 'together'
  | 'cerebras'
  | 'zai'
  | 'vllm'
  | 'llamacpp'
  | 'lmstudio'
  | 'ollama'
  | 'generic'

/** What OpenAI's models require, at OpenAI and at Azure. */
const OPENAI_MODELS: Omit<Quirks, 'profile'> = {
  outputLimitField: 'max_completion_tokens',
  developerRole: true,
  toolCallIds: 'at-most-40',
  efforts: openaiEfforts,
  samplingWhileReasoning: false,
  maxStopSequences: 4,
  minResponsesOutput: 16,
  strictSchemas: 'closed',
  topK: false,
}

/** The differences of known OpenAI-compatible servers. `generic` uses only what nearly all servers support. */
export const quirkProfiles: Readonly<Record<QuirkProfileName, Quirks>> = {
  openai: {
    ...OPENAI_MODELS,
    profile: 'openai',
    keyVariable: 'OPENAI_API_KEY',
    paddedStreams: true,
  },
  azure: {
    ...OPENAI_MODELS,
    profile: 'azure',
    keyVariable: 'AZURE_OPENAI_API_KEY',
    keyHeader: 'api-key',
  },
  openrouter: {
    profile: 'openrouter',
    keyVariable: 'OPENROUTER_API_KEY',
    thinking: 'reasoning',
    efforts: openrouterEfforts,
    strictSchemas: 'closed',
  },
  groq: {
    profile: 'groq',
    topK: false,
    keyVariable: 'GROQ_API_KEY',
    reasoningField: 'reasoning',
    thinkTags: 'split',
    efforts: groqEfforts,
    strictSchemas: 'closed',
  },
  deepseek: {
    profile: 'deepseek',
    topK: false,
    keyVariable: 'DEEPSEEK_API_KEY',
    reasoningField: 'reasoning_content',
    emptyReasoning: true,
    thinking: 'none',
    jsonOutput: 'object',
  },
  xai: { profile: 'xai', topK: false, penalties: false, keyVariable: 'XAI_API_KEY', efforts: xaiEfforts },
  mistral: {
    profile: 'mistral',
    topK: false,
    keyVariable: 'MISTRAL_API_KEY',
    streamOptions: false,
    toolCallIds: 'nine-alphanumeric',
    requiredToolChoice: 'any',
    nameInToolResult: true,
    assistantAfterToolResults: true,
    seedField: 'random_seed',
    thinking: 'none',
  },
  moonshot: {
    profile: 'moonshot',
    topK: false,
    keyVariable: 'MOONSHOT_API_KEY',
    toolCallIds: 'own',
    requiredToolChoice: 'omit',
    reasoningField: 'reasoning_content',
    thinking: 'none',
    jsonOutput: 'object',
  },
  perplexity: {
    profile: 'perplexity',
    keyVariable: 'PERPLEXITY_API_KEY',
    systemMessages: 'first',
    alternatingRoles: true,
    thinkTags: 'split',
    thinking: 'none',
    jsonOutput: 'schema',
    serialToolCalls: false,
  },
  together: { profile: 'together', keyVariable: 'TOGETHER_API_KEY', thinkTags: 'split' },
  cerebras: {
    profile: 'cerebras',
    topK: false,
    penalties: false,
    keyVariable: 'CEREBRAS_API_KEY',
    outputLimitField: 'max_completion_tokens',
    thinkTags: 'split',
    strictSchemas: 'closed',
    overflowStatuses: [400, 413],
  },
  zai: {
    profile: 'zai',
    topK: false,
    penalties: false,
    keyVariable: 'ZAI_API_KEY',
    toolChoice: false,
    serialToolCalls: false,
    reasoningField: 'reasoning_content',
    thinking: 'switch',
    efforts: zaiEfforts,
    jsonOutput: 'object',
  },
  vllm: { profile: 'vllm', systemMessages: 'first', thinkTags: 'split' },
  llamacpp: { profile: 'llamacpp', parallelToolCalls: true, thinkTags: 'split', thinking: 'none' },
  lmstudio: { profile: 'lmstudio', thinkTags: 'split', jsonOutput: 'schema', serialToolCalls: false },
  ollama: {
    profile: 'ollama',
    topK: false,
    toolChoice: false,
    serialToolCalls: false,
    imageUrls: false,
    reasoningField: 'reasoning',
    thinkTags: 'split',
  },
  generic: { profile: 'generic' },
}

const BY_HOST: readonly (readonly [host: RegExp, name: QuirkProfileName])[] = [
  [/(^|\.)api\.openai\.com$/, 'openai'],
  [/\.(openai|services\.ai|cognitiveservices)\.azure\.com$/, 'azure'],
  [/(^|\.)openrouter\.ai$/, 'openrouter'],
  [/(^|\.)api\.groq\.com$/, 'groq'],
  [/(^|\.)api\.deepseek\.com$/, 'deepseek'],
  [/(^|\.)api\.x\.ai$/, 'xai'],
  [/(^|\.)api\.mistral\.ai$/, 'mistral'],
  [/(^|\.)api\.moonshot\.(ai|cn)$/, 'moonshot'],
  [/(^|\.)api\.perplexity\.ai$/, 'perplexity'],
  [/(^|\.)api\.together\.(ai|xyz)$/, 'together'],
  [/(^|\.)api\.cerebras\.ai$/, 'cerebras'],
  [/(^|\.)api\.z\.ai$|(^|\.)open\.bigmodel\.cn$/, 'zai'],
]
// Default ports of local servers.
const BY_PORT: Readonly<Record<string, QuirkProfileName>> = { '11434': 'ollama', '1234': 'lmstudio' }

/** Returns the profile of the service at a base URL; `generic` if the service is unknown. */
export function profileOfUrl(baseUrl: string): QuirkProfileName {
  if (!URL.canParse(baseUrl)) return 'generic'
  const { hostname, port } = new URL(baseUrl)
  return BY_HOST.find(([host]) => host.test(hostname))?.[1] ?? BY_PORT[port] ?? 'generic'
}

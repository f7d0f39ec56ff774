/**
 * Attribute names of the GenAI semantic conventions. The conventions are in development. The names are copied here, so
 * that an update of a dependency does not change them. Attributes without a conventional name start with `parley.`.
 */
export const ATTRIBUTE = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  agentName: 'gen_ai.agent.name',
  conversation: 'gen_ai.conversation.id',
  requestModel: 'gen_ai.request.model',
  maxTokens: 'gen_ai.request.max_tokens',
  temperature: 'gen_ai.request.temperature',
  topP: 'gen_ai.request.top_p',
  topK: 'gen_ai.request.top_k',
  frequencyPenalty: 'gen_ai.request.frequency_penalty',
  presencePenalty: 'gen_ai.request.presence_penalty',
  seed: 'gen_ai.request.seed',
  stopSequences: 'gen_ai.request.stop_sequences',
  outputType: 'gen_ai.output.type',
  finishReasons: 'gen_ai.response.finish_reasons',
  timeToFirstChunk: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheWriteTokens: 'gen_ai.usage.cache_creation.input_tokens',
  tokenType: 'gen_ai.token.type',
  toolName: 'gen_ai.tool.name',
  toolCallId: 'gen_ai.tool.call.id',
  toolType: 'gen_ai.tool.type',
  toolDescription: 'gen_ai.tool.description',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
  instructions: 'gen_ai.system_instructions',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  evaluationName: 'gen_ai.evaluation.name',
  evaluationScore: 'gen_ai.evaluation.score.value',
  evaluationReason: 'gen_ai.evaluation.explanation',
  errorType: 'error.type',
  runId: 'parley.run.id',
  runStatus: 'parley.run.status',
  scope: 'parley.scope',
  turn: 'parley.turn',
  costUsd: 'parley.cost.usd',
  evalName: 'parley.eval.name',
  evalCase: 'parley.eval.case',
  evalTrial: 'parley.eval.trial',
} as const

const PROVIDERS: Readonly<Record<string, string>> = { google: 'gcp.gemini' }

/** Converts a provider's name to its name in the conventions. */
export function providerName(provider: string): string {
  return Object.hasOwn(PROVIDERS, provider) ? (PROVIDERS[provider] ?? provider) : provider
}

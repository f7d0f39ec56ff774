import type { ModelInfo } from '@parley/core'

/**
 * How a model is brought to answer with data: `native` holds it to the schema by the provider, `tool` offers a tool that
 * takes the answer, `prompt` asks for JSON in words.
 */
export type OutputStrategy = 'native' | 'tool' | 'prompt'

/** The surest way for a model. One nothing is known about is offered a tool: that is what most can do. */
export function chooseStrategy(info: ModelInfo, hasTools: boolean): OutputStrategy {
  const { structuredOutput, structuredOutputWithTools = true, toolCalls = true } = info
  if (structuredOutput === 'schema' && (!hasTools || structuredOutputWithTools)) return 'native'
  return toolCalls ? 'tool' : 'prompt'
}

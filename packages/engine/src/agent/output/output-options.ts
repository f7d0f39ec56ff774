import type { JsonSchemaObject, ModelInfo } from '@parley/core'

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

/** How an agent's structured output is asked for, and repaired. */
export interface OutputOptions {
  /** What it is, for the model: a name of `[A-Za-z0-9_-]`. @default 'final_answer' */
  readonly name?: string | undefined
  /** What the model is shown when `output`'s library cannot produce a JSON Schema. */
  readonly jsonSchema?: JsonSchemaObject | undefined
  /** @default by what is known about the model */
  readonly strategy?: OutputStrategy | undefined
  /** How often an answer that does not fit is sent back with what is wrong. @default 3 */
  readonly repairs?: number | undefined
}

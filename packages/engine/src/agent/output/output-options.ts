import type { JsonSchemaObject, ModelInfo } from '@parley/core'

/**
 * How a model is made to answer with data. `native`: the provider enforces the schema. `tool`: the model calls a tool with
 * the answer. `prompt`: the instructions ask for JSON.
 */
export type OutputStrategy = 'native' | 'tool' | 'prompt'

/** The most reliable strategy for a model. A model with unknown abilities gets a tool: most models can call tools. */
export function chooseStrategy(info: ModelInfo, hasTools: boolean): OutputStrategy {
  const { structuredOutput, structuredOutputWithTools = true, toolCalls = true } = info
  if (structuredOutput === 'schema' && (!hasTools || structuredOutputWithTools)) return 'native'
  return toolCalls ? 'tool' : 'prompt'
}

/** How an agent's structured output is requested and repaired. */
export interface OutputOptions {
  /** Name of the output for the model, matching `[A-Za-z0-9_-]`. @default 'final_answer' */
  readonly name?: string | undefined
  /** JSON Schema for the model, if the library of `output` cannot produce one. */
  readonly jsonSchema?: JsonSchemaObject | undefined
  /** How the model is made to answer with data. @default chosen by the model's abilities */
  readonly strategy?: OutputStrategy | undefined
  /** How often an invalid answer is sent back with its issues. @default 3 */
  readonly repairs?: number | undefined
}

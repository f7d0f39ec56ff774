import type { Json, Message, ModelRequest, ToolSpec } from '@parley/core'
import { createRefuse, encodeJson, extraFields } from '@parley/provider-kit'
import { cannotMixTools } from './generation-of.ts'
import { toThinkingConfig } from './to-thinking-config.ts'

export interface GeminiRequestOptions {
  readonly provider: string
  readonly model: string
  readonly encodeContents: (messages: readonly Message[]) => readonly string[]
  readonly encodeTool: (tool: ToolSpec) => string
}

type Extra = Readonly<Record<string, Json>>

const OWN_FIELDS = ['contents', 'systemInstruction']
const MOST_STOP_SEQUENCES = 5

/**
 * Writes the body of a generateContent request as JSON text, joined from encoded turns and tools. Provider options are
 * added at the top level; `generationConfig` and `toolConfig` are merged field by field, and `tools` are added after
 * the functions.
 * @throws `model-unsupported` for a setting that the API or the model does not support. Throws `config-invalid` if the
 * provider options contain a field that the request sets itself.
 */
export function toGeminiRequest(request: ModelRequest, options: GeminiRequestOptions): string {
  const { provider, encodeContents, encodeTool } = options
  const { generationConfig, toolConfig, tools: extraTools, ...extra } = extraFields(request, provider, OWN_FIELDS)
  const { system, messages, tools } = request
  const fields = encodeJson({
    ...(system.length === 0 ? {} : { systemInstruction: { parts: system.map(({ text }) => ({ text })) } }),
    ...nonEmpty('generationConfig', { ...toGenerationConfig(request, options), ...(generationConfig as Extra) }),
    ...nonEmpty('toolConfig', { ...toToolConfig(request), ...(toolConfig as Extra) }),
    ...extra,
  })
  const functions = tools.length === 0 ? [] : [`{"functionDeclarations":[${tools.map(encodeTool).join(',')}]}`]
  const builtIn = Array.isArray(extraTools) ? extraTools.map(tool => encodeJson(tool)) : []
  if (functions.length > 0 && builtIn.length > 0 && cannotMixTools(options.model))
    throw createRefuse(options)(
      "Models before Gemini 3 cannot combine functions with Google's own tools. Leave out one of the two.",
    )
  const allTools = [...functions, ...builtIn]
  const parts = [
    `"contents":[${encodeContents(messages).join(',')}]`,
    ...(allTools.length === 0 ? [] : [`"tools":[${allTools.join(',')}]`]),
    ...(fields === '{}' ? [] : [fields.slice(1, -1)]),
  ]
  return `{${parts.join(',')}}`
}

/** Encodes a tool as JSON text. The schema goes into the field for JSON Schema: the older field supports only a part of OpenAPI. */
export function encodeGeminiTool({ name, description, inputSchema }: ToolSpec): string {
  return encodeJson({ name, description, parametersJsonSchema: inputSchema })
}

function nonEmpty(name: string, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.keys(value).length === 0 ? {} : { [name]: value }
}

function toGenerationConfig({ settings }: ModelRequest, options: GeminiRequestOptions): Record<string, unknown> {
  const {
    maxOutputTokens,
    temperature,
    topP,
    topK,
    frequencyPenalty,
    presencePenalty,
    stopSequences,
    seed,
    thinking,
    output,
    parallelToolCalls,
  } = settings
  const refuse = createRefuse(options)
  if (parallelToolCalls === false) throw refuse('Gemini cannot limit a model to one tool call at a time.')
  if ((stopSequences?.length ?? 0) > MOST_STOP_SEQUENCES)
    throw refuse(`Gemini accepts at most ${MOST_STOP_SEQUENCES} stop sequences.`)
  const thinkingConfig = toThinkingConfig(thinking, options)
  const fields: Record<string, unknown> = {}
  const set = (name: string, value: unknown): void => {
    if (value !== undefined) fields[name] = value
  }
  set('maxOutputTokens', maxOutputTokens)
  set('temperature', temperature)
  set('topP', topP)
  set('topK', topK)
  set('frequencyPenalty', frequencyPenalty)
  set('presencePenalty', presencePenalty)
  set('stopSequences', stopSequences)
  set('seed', seed)
  set('thinkingConfig', thinkingConfig)
  if (output !== undefined) fields['responseMimeType'] = 'application/json'
  if (typeof output === 'object') fields['responseJsonSchema'] = output.schema
  return fields
}

function toToolConfig({ tools, toolChoice = 'auto' }: ModelRequest): Record<string, unknown> {
  if (tools.length === 0 || toolChoice === 'auto') return {}
  if (toolChoice === 'none') return { functionCallingConfig: { mode: 'NONE' } }
  const named = typeof toolChoice === 'object' ? { allowedFunctionNames: [toolChoice.name] } : {}
  return { functionCallingConfig: { mode: 'ANY', ...named } }
}

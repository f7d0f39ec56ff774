import { ParleyError, type Json, type Message, type ModelRequest, type ToolSpec } from '@parley/core'
import { encodeJson, extraFields } from '@parley/provider-kit'
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
 * The body of a generateContent request, as JSON text joined from encoded turns and tools. Provider options are added
 * at the top; those of `generationConfig` and `toolConfig` field by field, `tools` behind the functions.
 * @throws `model-unsupported` for settings the API or the model has not; `config-invalid` when provider options name a
 * field the request itself decides.
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
    throw unsupported(
      options,
      "Before Gemini 3, functions do not mix with Google's own tools. Leave out one of the two.",
    )
  const allTools = [...functions, ...builtIn]
  const parts = [
    `"contents":[${encodeContents(messages).join(',')}]`,
    ...(allTools.length === 0 ? [] : [`"tools":[${allTools.join(',')}]`]),
    ...(fields === '{}' ? [] : [fields.slice(1, -1)]),
  ]
  return `{${parts.join(',')}}`
}

/** A tool as JSON text. The schema goes as JSON Schema: the older field knows a part of OpenAPI only. */
export function encodeGeminiTool({ name, description, inputSchema }: ToolSpec): string {
  return encodeJson({ name, description, parametersJsonSchema: inputSchema })
}

function unsupported({ provider, model }: GeminiRequestOptions, detail: string): ParleyError {
  return new ParleyError({ code: 'model-unsupported', provider, model, detail })
}

function nonEmpty(name: string, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.keys(value).length === 0 ? {} : { [name]: value }
}

function toGenerationConfig({ settings }: ModelRequest, options: GeminiRequestOptions): Record<string, unknown> {
  const { maxOutputTokens, temperature, topP, stopSequences, seed, thinking, output, parallelToolCalls } = settings
  if (parallelToolCalls === false) throw unsupported(options, 'It cannot be kept from making several calls at once.')
  if ((stopSequences?.length ?? 0) > MOST_STOP_SEQUENCES)
    throw unsupported(options, `It takes at most ${MOST_STOP_SEQUENCES} stop sequences.`)
  const thinkingConfig = toThinkingConfig(thinking, options)
  const fields: Record<string, unknown> = {}
  const set = (name: string, value: unknown): void => {
    if (value !== undefined) fields[name] = value
  }
  set('maxOutputTokens', maxOutputTokens)
  set('temperature', temperature)
  set('topP', topP)
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

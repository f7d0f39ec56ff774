import type { Message, ModelRequest, OutputFormat, SystemPart, ToolSpec } from '@parley/core'
import { encodeJson, extraFields, mergeFields, planCache, type CachePlan, type Refuse } from '@parley/provider-kit'
import { cacheMark, countMarks, MOST_MARKS, withMark } from './cache-mark-json.ts'
import type { Turn } from './create-turn-encoder.ts'
import type { ModelRules } from '../models/model-rules.ts'
import { planThinking } from './plan-thinking.ts'
import { samplingFields } from './sampling-fields.ts'
import { toOutputSchema } from './to-output-schema.ts'
import { toToolChoice } from './to-tool-choice.ts'

export interface MessagesRequestOptions {
  readonly provider: string
  /** The fields for the model and the form of the answer, as the platform expects them. */
  readonly envelope: Readonly<Record<string, unknown>>
  readonly rules: ModelRules
  readonly refuse: Refuse
  readonly outputCap: number | undefined
  readonly interleaved: boolean
  readonly encodeTurns: (messages: readonly Message[]) => readonly Turn[]
  readonly encodeTool: (tool: ToolSpec) => string
  /** Encodes a strict tool. Used only if the model supports schemas. */
  readonly encodeStrictTool: (tool: ToolSpec, refuse: Refuse) => string
}

interface Marks extends CachePlan {
  /** The cache mark as JSON text. */
  readonly mark: string
}

/** Fields that provider options must not contain. `tools` is not among them: users add server tools there. */
const OWN_FIELDS = ['model', 'messages', 'system', 'stream', 'max_tokens']

/**
 * Writes the body of a Messages request as JSON text, joined from encoded tools, instructions and turns.
 * @throws `model-unsupported` for a setting that the model does not support; `config-invalid` if the provider options contain
 * a field that the request sets itself.
 */
export function toMessagesRequest(request: ModelRequest, options: MessagesRequestOptions): string {
  const { provider, rules, refuse, encodeTurns, encodeTool, encodeStrictTool } = options
  const own = fieldsOf(request, options)
  const { tools: serverTools, ...extra } = extraFields(request, provider, OWN_FIELDS)
  const added = Array.isArray(serverTools) ? serverTools.map(tool => encodeJson(tool)) : []
  const functions = request.tools.map(tool =>
    tool.strict === true && rules.jsonOutput ? encodeStrictTool(tool, refuse) : encodeTool(tool),
  )
  const tools = [...added, ...functions]
  const system = [...request.system].filter(part => part.text.trim() !== '').sort(byVolatility)
  const stable = system.findLastIndex(part => part.volatile !== true)
  const turns = encodeTurns(request.messages)
  const { cache = 'auto' } = request.settings
  const plan = planCache(cache, {
    hasTools: tools.length > 0,
    hasStableSystem: stable >= 0,
    hasVolatileSystem: stable < system.length - 1,
    userTurns: turns.map(turn => turn.role === 'user'),
    room: MOST_MARKS - countMarks(encodeJson(extra)) - countMarks(added.join(',')),
  })
  const marks = { ...plan, mark: cacheMark(cache) }
  const path = `settings.providerOptions.${provider}`
  const fields = encodeJson(mergeFields({ own, extra, path })).slice(0, -1)
  const lists = [
    toolsList(tools, marks),
    systemList(system, plan.system ? stable : -1, marks),
    `,"messages":[${turns.map((turn, index) => turnJson(turn, plan.turns.includes(index), marks)).join(',')}]`,
  ]
  return `${fields}${lists.join('')}}`
}

/** Encodes a tool as JSON text. */
export function encodeMessagesTool({ name, description, inputSchema }: ToolSpec): string {
  const words = description === '' ? {} : { description }
  return encodeJson({ name, ...words, input_schema: { type: 'object', ...inputSchema } })
}

/**
 * Encodes a tool with `strict` as JSON text. The server then forces the arguments to match the schema.
 * @throws `model-unsupported` if the schema cannot be converted to the strict form.
 */
export function encodeStrictTool({ name, description, inputSchema }: ToolSpec, refuse: Refuse): string {
  const words = description === '' ? {} : { description }
  const schema = toOutputSchema({ type: 'object', ...inputSchema }, refuse)
  return encodeJson({ name, ...words, input_schema: schema, strict: true })
}

function fieldsOf(request: ModelRequest, options: MessagesRequestOptions): Record<string, unknown> {
  const { envelope, rules, refuse } = options
  const { settings, tools } = request
  const { thinking, effort, asked, maxTokens } = planThinking(settings, options)
  const choice = tools.length === 0 ? undefined : toToolChoice(request, { rules, refuse, thinks: asked })
  const output = {
    ...(effort === undefined ? {} : { effort }),
    ...(settings.output === undefined ? {} : { format: toFormat(settings.output, rules, refuse) }),
  }
  return {
    ...envelope,
    max_tokens: maxTokens,
    ...samplingFields(settings, { rules, refuse, thinks: asked }),
    ...(settings.stopSequences === undefined ? {} : { stop_sequences: settings.stopSequences }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(Object.keys(output).length === 0 ? {} : { output_config: output }),
    ...(choice === undefined ? {} : { tool_choice: choice }),
  }
}

function toFormat(output: 'json' | OutputFormat, rules: ModelRules, refuse: Refuse): Readonly<Record<string, unknown>> {
  if (!rules.jsonOutput) throw refuse('This model does not support output schemas.')
  if (output === 'json')
    throw refuse(
      "The Messages API does not support free JSON output. Set settings.output to a schema instead of 'json'.",
    )
  return { type: 'json_schema', schema: toOutputSchema(output.schema, refuse) }
}

function byVolatility(a: SystemPart, b: SystemPart): number {
  return Number(a.volatile === true) - Number(b.volatile === true)
}

function toolsList(tools: readonly string[], { tools: marked, mark }: Marks): string {
  if (tools.length === 0) return ''
  const last = tools.length - 1
  return `,"tools":[${tools.map((json, index) => (marked && index === last ? withMark(json, mark) : json)).join(',')}]`
}

function systemList(system: readonly SystemPart[], marked: number, { mark }: Marks): string {
  if (system.length === 0) return ''
  const blocks = system.map(({ text }, index) => {
    const json = encodeJson({ type: 'text', text })
    return index === marked ? withMark(json, mark) : json
  })
  return `,"system":[${blocks.join(',')}]`
}

function turnJson({ role, blocks }: Turn, marked: boolean, { mark }: Marks): string {
  const at = marked ? blocks.findLastIndex(block => block.cacheable) : -1
  const content = blocks.map(({ json }, index) => (index === at ? withMark(json, mark) : json))
  return `{"role":"${role}","content":[${content.join(',')}]}`
}

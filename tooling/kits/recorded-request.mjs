// Converts a recorded request of a provider to a request of our model contract, so that a case sends what its recording sent.

/** Fields of each API that the conversion reads. The provider sets the others of this list itself. */
const READ = {
  anthropic: ['system', 'messages', 'tools', 'tool_choice', 'max_tokens', 'temperature', 'top_p', 'stop_sequences'],
  'openai-chat': [
    'messages',
    'tools',
    'tool_choice',
    'max_tokens',
    'max_completion_tokens',
    'temperature',
    'top_p',
    'stop',
    'seed',
    'stream_options',
  ],
  'openai-responses': ['instructions', 'input', 'tools', 'tool_choice', 'max_output_tokens', 'temperature', 'top_p'],
  gemini: ['systemInstruction', 'contents', 'tools', 'toolConfig'],
  ollama: ['messages', 'tools', 'temperature', 'options'],
}
const OWN = ['model', 'stream', 'store', 'include']

const HI = {
  system: [{ text: 'Answer briefly.' }],
  messages: [user([{ type: 'text', text: 'hi' }])],
  tools: [],
  settings: {},
}

/**
 * Converts the recorded body of a case. Fields without a place in our contract are sent as options of the provider.
 * @param dropped Called with each part of the recording that is not sent.
 */
export function toModelRequest({ api, request, provider, dropped }) {
  if (request === undefined || request === null) {
    dropped('the request: the case has no recorded one, so the adapter sends a greeting')
    return HI
  }
  const known = READ[api]
  const isExtra = ([name, value]) => value !== null && !known.includes(name) && !OWN.includes(name)
  const extra = Object.fromEntries(Object.entries(request).filter(isExtra))
  const { system, messages } = READERS[api](request, dropped)
  const tools = toTools(request, dropped)
  const settings = toSettings(request)
  const choice = toChoice(request, tools)
  return {
    system: system.filter(text => text !== '').map(text => ({ text })),
    messages,
    tools,
    ...(choice === undefined ? {} : { toolChoice: choice }),
    settings: { ...settings, ...(Object.keys(extra).length === 0 ? {} : { providerOptions: { [provider]: extra } }) },
  }
}

const READERS = {
  anthropic({ system = [], messages }, dropped) {
    const names = new Map()
    return {
      system: textsOf(system),
      messages: messages.flatMap(({ role, content }) => {
        const parts = listOf(content)
        if (role === 'assistant') return [assistant(parts.flatMap(part => anthropicPart(part, { names, dropped })))]
        const results = parts.filter(part => part.type === 'tool_result')
        const rest = parts.filter(part => part.type !== 'tool_result')
        return [
          ...results.map(part =>
            result(part.tool_use_id, names.get(part.tool_use_id), textsOf(part.content).join('\n')),
          ),
          ...(rest.length === 0 ? [] : [user(rest.map(part => textPart(part, dropped)))]),
        ]
      }),
    }
  },
  'openai-chat'({ messages }, dropped) {
    const names = new Map()
    const system = messages[0]?.role === 'system' ? textsOf(messages[0].content) : []
    return { system, messages: messages.slice(system.length).map(message => chatMessage(message, { names, dropped })) }
  },
  'openai-responses'({ instructions = '', input }, dropped) {
    const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input
    const isSystem = ({ role }) => role === 'system' || role === 'developer'
    return {
      system: [instructions ?? '', ...items.filter(isSystem).flatMap(({ content }) => textsOf(content))],
      messages: items
        .filter(item => !isSystem(item))
        .flatMap(item => {
          if (item.role === 'user') return [user(listOf(item.content).map(part => textPart(part, dropped)))]
          if (item.role === 'assistant') return [assistant(listOf(item.content).map(part => textPart(part, dropped)))]
          dropped(`an input item of the type ${item.type}`)
          return []
        }),
    }
  },
  gemini({ systemInstruction, contents }, dropped) {
    let calls = 0
    const open = []
    return {
      system: textsOf(systemInstruction?.parts ?? []),
      messages: contents.flatMap(({ role, parts }) => {
        if (role === 'model')
          return [
            assistant(
              parts.map(part => {
                if (part.functionCall === undefined) return textPart(part, dropped)
                if (part.thoughtSignature !== undefined)
                  dropped('the signature of a past call, which belongs to another run')
                const { name, args = {} } = part.functionCall
                open.push({ id: `call-${++calls}`, name })
                return { type: 'tool-call', callId: `call-${calls}`, name, arguments: JSON.stringify(args) }
              }),
            ),
          ]
        const results = parts.filter(part => part.functionResponse !== undefined)
        if (results.length === 0) return [user(parts.map(part => textPart(part, dropped)))]
        return results.map(({ functionResponse: { name, response } }) => {
          const at = open.findIndex(call => call.name === name)
          const [{ id }] = open.splice(at, 1)
          return result(id, name, JSON.stringify(response))
        })
      }),
    }
  },
  ollama: (request, dropped) => READERS['openai-chat'](request, dropped),
}

function anthropicPart(part, { names, dropped }) {
  if (part.type === 'tool_use') {
    names.set(part.id, part.name)
    return [{ type: 'tool-call', callId: part.id, name: part.name, arguments: JSON.stringify(part.input) }]
  }
  if (part.type === 'thinking') {
    const providerData = { provider: 'anthropic', data: { signature: part.signature } }
    return [{ type: 'reasoning', text: part.thinking, providerData }]
  }
  return [textPart(part, dropped)]
}

function chatMessage({ role, content, tool_calls: calls = [], tool_call_id: id, ...rest }, { names, dropped }) {
  if (role === 'tool') return result(id, names.get(id), textsOf(content).join('\n'))
  const parts = listOf(content ?? '').map(part => textPart(part, dropped))
  const texts = parts.filter(part => part.text !== '')
  if (role === 'system') return { role, content: textsOf(content).join('\n') }
  if (role === 'user') return user(parts)
  if (rest.reasoning_details !== undefined)
    dropped('the reasoning details of a past answer, which belong to another run')
  for (const call of calls) names.set(call.id, call.function.name)
  const toolCalls = calls.map(({ id: callId, function: { name, arguments: given } }) => {
    return { type: 'tool-call', callId, name, arguments: typeof given === 'string' ? given : JSON.stringify(given) }
  })
  return assistant([...texts, ...toolCalls])
}

function toTools({ tools = [] }, dropped) {
  return tools.flatMap(tool => {
    if (tool.functionDeclarations !== undefined) return tool.functionDeclarations.map(declared => toTool(declared))
    if (tool.type === undefined && tool.input_schema !== undefined) return [toTool(tool)]
    if (tool.type === 'function') return [toTool(tool.function ?? tool)]
    dropped(`a tool of the server: ${tool.type}`)
    return []
  })
}

function toTool({ name, description = '', input_schema, parameters, parametersJsonSchema }) {
  return { name, description, inputSchema: input_schema ?? parameters ?? parametersJsonSchema ?? { type: 'object' } }
}

function toSettings(request) {
  const options = request.options ?? {}
  const fields = {
    maxOutputTokens:
      request.max_tokens ?? request.max_completion_tokens ?? request.max_output_tokens ?? options.num_predict,
    temperature: request.temperature ?? options.temperature,
    topP: request.top_p ?? options.top_p,
    seed: request.seed ?? options.seed,
    stopSequences: request.stop_sequences ?? (typeof request.stop === 'string' ? [request.stop] : request.stop),
    ...(request.tool_choice?.disable_parallel_tool_use === true ? { parallelToolCalls: false } : {}),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))
}

function toChoice({ tool_choice: choice, toolConfig }, tools) {
  if (tools.length === 0) return undefined
  const mode = toolConfig?.functionCallingConfig?.mode
  if (choice === 'required' || choice?.type === 'any' || mode === 'ANY') return 'required'
  if (choice === 'none' || choice?.type === 'none' || mode === 'NONE') return 'none'
  const name = choice?.function?.name ?? choice?.name
  return name === undefined ? undefined : { name }
}

const TEXTS = [undefined, 'text', 'input_text', 'output_text']

function textPart(part, dropped) {
  if (!TEXTS.includes(part.type)) dropped(`a part of the type ${part.type}`)
  return { type: 'text', text: part.text ?? '' }
}

function listOf(content) {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function textsOf(content) {
  return listOf(content ?? '').map(part => part.text ?? '')
}

function user(content) {
  return { role: 'user', content }
}

function assistant(content) {
  return { role: 'assistant', content }
}

function result(callId, name, text) {
  return { role: 'tool', callId, name: name ?? '', content: [{ type: 'text', text }] }
}

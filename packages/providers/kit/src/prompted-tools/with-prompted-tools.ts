import { checkOptions, type Model, type ModelRequest, type OptionKinds } from '@parley/core'
import { readWrittenCalls } from './read-written-calls.ts'
import { toPlainMessages } from './to-plain-messages.ts'
import { toolInstructions } from './tool-instructions.ts'

export interface PromptedToolsOptions {
  /**
   * When the model is wrapped: with `auto`, only if its `info.toolCalls` is false; with `always`, in every case.
   * @default 'auto'
   */
  readonly mode?: 'auto' | 'always' | undefined
}

const OPTIONS: OptionKinds<PromptedToolsOptions> = {
  mode: ['always', 'auto'],
}

/**
 * Wraps a model that has no native tool calls so that it can call tools. The tools are described in its instructions, and its
 * calls are read from the JSON that it writes. Past calls and results are sent to it as text. From the first brace or code
 * fence on, the text of an answer is held until its end.
 */
export function withPromptedTools(model: Model, options: PromptedToolsOptions = {}): Model {
  checkOptions('withPromptedTools', options, OPTIONS)
  const { mode = 'auto' } = options
  if (mode === 'auto' && model.info.toolCalls !== false) return model
  return {
    provider: model.provider,
    id: model.id,
    info: { ...model.info, toolCalls: true },
    stream(request, options) {
      const instructions = toolInstructions(request)
      const events = model.stream(toPlainRequest(request, instructions), options)
      return instructions === undefined ? events : readWrittenCalls(events)
    },
  }
}

function toPlainRequest(request: ModelRequest, instructions: string | undefined): ModelRequest {
  const { toolChoice: _choice, system, settings, ...rest } = request
  const { parallelToolCalls: _parallel, ...others } = settings
  const volatile = system.findIndex(part => part.volatile === true)
  const at = volatile === -1 ? system.length : volatile
  const added = instructions === undefined ? [] : [{ text: instructions }]
  return {
    ...rest,
    system: [...system.slice(0, at), ...added, ...system.slice(at)],
    messages: toPlainMessages(request.messages),
    tools: [],
    settings: others,
  }
}

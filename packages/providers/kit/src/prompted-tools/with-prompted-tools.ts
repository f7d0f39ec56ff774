import type { Model, ModelRequest } from '@parley/core'
import { readWrittenCalls } from './read-written-calls.ts'
import { toPlainMessages } from './to-plain-messages.ts'
import { toolInstructions } from './tool-instructions.ts'

export interface PromptedToolsOptions {
  /** `auto` leaves a model as it is unless its `info.toolCalls` is false. @default 'auto' */
  readonly mode?: 'auto' | 'always' | undefined
}

/**
 * A model without tools of its own that calls tools all the same: they are described in its instructions, and its calls are
 * read from the JSON it writes. Past calls and their results are told to it in words. From the first brace or code fence on,
 * the text of an answer is shown at its end.
 */
export function withPromptedTools(model: Model, { mode = 'auto' }: PromptedToolsOptions = {}): Model {
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
  const told = instructions === undefined ? [] : [{ text: instructions }]
  return {
    ...rest,
    system: [...system.slice(0, at), ...told, ...system.slice(at)],
    messages: toPlainMessages(request.messages),
    tools: [],
    settings: others,
  }
}

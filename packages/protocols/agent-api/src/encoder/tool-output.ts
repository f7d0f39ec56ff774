import type { Json, ToolMessage } from '@parley/core'
import type { McpToolName } from '@parley/encoders/kit'
import type { ContentBuilderOf } from '../builder/content-builder.ts'
import type { MessageBuilder } from '../builder/message-builder.ts'
import type { MessageEnd } from '../builder/message-draft.ts'
import type { ResponseBuilder } from '../builder/response-builder.ts'
import type { AgentEvent } from '../schema/agent-event.ts'
import { callData, outputData, type CallFacts } from './tool-data.ts'

interface OpenMessage {
  readonly name: string
  readonly message: MessageBuilder
  readonly part: ContentBuilderOf<'data'>
}

export interface ToolOutputOptions {
  readonly idPrefix: string
  readonly toolArguments: 'snapshot' | 'delta'
  readonly mcpTool: (name: string) => McpToolName | undefined
}

/** Sends the tool messages of a run: calls and their outputs. */
export class ToolOutput {
  readonly #response: ResponseBuilder
  readonly #options: ToolOutputOptions
  /** Calls that the model is writing. */
  readonly #writing = new Map<string, OpenMessage>()
  /** Calls that this stream has shown. */
  readonly #shown = new Set<string>()
  /** Calls that are running. */
  readonly #running = new Map<string, OpenMessage>()
  /** Every call so far, shown by this stream or by an earlier one. */
  readonly #known = new Map<string, CallFacts>()

  constructor(response: ResponseBuilder, options: ToolOutputOptions) {
    this.#response = response
    this.#options = options
  }

  /** Records calls that an earlier stream has shown. */
  know(calls: readonly CallFacts[]): void {
    for (const call of calls) this.#known.set(call.callId, call)
  }

  /** Announces a call that the model begins to write. `id` is the id of its message. */
  begin({ callId, name, execution }: Omit<CallFacts, 'arguments'>, id: string): readonly AgentEvent[] {
    // A provider may repeat the id of an earlier turn. The engine records such a call under another id.
    if (callId === '' || this.#shown.has(callId) || this.#writing.has(callId)) return []
    const open = this.#open({ name, execution }, id)
    this.#writing.set(callId, open)
    return open.part.setData(callData({ callId, name, arguments: '' }, this.#options.mcpTool(name)))
  }

  /** Sends a piece of the arguments. */
  write(callId: string, delta: string): readonly AgentEvent[] {
    const open = this.#options.toolArguments === 'delta' && delta !== '' ? this.#writing.get(callId) : undefined
    return open?.part.addDataDelta({ arguments: delta }) ?? []
  }

  /** Sends the calls of a recorded answer. `end` goes with the last one. */
  called(calls: readonly CallFacts[], idOf: (callId: string) => string, end: MessageEnd): readonly AgentEvent[] {
    this.know(calls)
    const events: AgentEvent[] = []
    for (const [index, call] of calls.entries()) {
      const open = this.#writing.get(call.callId) ?? this.#open(call, idOf(call.callId))
      events.push(...this.#show(call, open, index === calls.length - 1 ? end : {}))
    }
    return [...events, ...this.callsBrokeOff()]
  }

  /** Ends the calls that the model began and never finished. */
  callsBrokeOff(): readonly AgentEvent[] {
    const events = [...this.#writing.values()].flatMap(({ message }) => message.incomplete())
    this.#writing.clear()
    return events
  }

  started(callId: string, name: string, input: Json): readonly AgentEvent[] {
    const shown = this.ensureShown(callId, name, input)
    if (this.#running.has(callId)) return shown
    const open = this.#openOutput(callId, name)
    this.#running.set(callId, open)
    return [...shown, ...open.part.setData({ call_id: callId, name: open.name, output: '' })]
  }

  progressed(callId: string, update: Json): readonly AgentEvent[] {
    const open = this.#running.get(callId)
    return open?.part.setData({ call_id: callId, name: open.name, output: '', progress: update }) ?? []
  }

  ended(callId: string, name: string, result: ToolMessage): readonly AgentEvent[] {
    const shown = this.ensureShown(callId, name)
    const open = this.#running.get(callId) ?? this.#openOutput(callId, name)
    this.#running.delete(callId)
    return [...shown, ...open.part.completeWith({ data: outputData(result, open.name) }), ...open.message.complete()]
  }

  /** Shows a call that only an earlier stream has shown, because its output and its approval must follow it. */
  ensureShown(callId: string, name: string, input: Json = {}): readonly AgentEvent[] {
    if (this.#shown.has(callId)) return []
    const call = this.#known.get(callId) ?? { callId, name, arguments: JSON.stringify(input) }
    return this.#show(call, this.#open(call, `${this.#options.idPrefix}_${callId}`))
  }

  #show({ callId, name, arguments: text }: CallFacts, open: OpenMessage, end: MessageEnd = {}): readonly AgentEvent[] {
    this.#writing.delete(callId)
    this.#shown.add(callId)
    // A model may write nothing at all for a call without arguments, and clients parse what they get.
    const call = { callId, name, arguments: text === '' ? '{}' : text }
    const data = callData(call, this.#options.mcpTool(name))
    return [...open.part.completeWith({ data }), ...open.message.complete(end)]
  }

  #open({ name, execution }: Pick<CallFacts, 'name' | 'execution'>, id: string): OpenMessage {
    const byServer = this.#options.mcpTool(name) === undefined ? 'plugin_call' : 'mcp_call'
    const messageType = execution === 'client' ? 'function_call' : byServer
    const message = this.#response.createMessageBuilder({ id, messageType })
    return { name, message, part: message.createContentBuilder('data') }
  }

  #openOutput(callId: string, name: string): OpenMessage {
    const mcp = this.#options.mcpTool(name)
    const id = `${this.#options.idPrefix}_${callId}_output`
    const messageType = mcp === undefined ? 'plugin_call_output' : 'mcp_call_output'
    const message = this.#response.createMessageBuilder({ id, messageType })
    return { name: mcp?.tool ?? name, message, part: message.createContentBuilder('data') }
  }
}

import type { ClientCall } from '@parley/core'
import type { ChatStep } from '../chat/chat-step.ts'
import { resultText } from '../chat/result-text.ts'
import { fileUrlOf } from '../kit/file-part.ts'
import { FunctionCallItems } from './function-call-items.ts'
import { ItemList, type Send } from './item-list.ts'
import { McpCallItems } from './mcp-call-items.ts'
import type { OutputItem } from './output-item.ts'
import { ProseItems } from './prose-items.ts'
import type { ResponsesEvent } from './response-object.ts'

/** The growing output of a response. Each item is added, written and completed. */
export class OutputItems {
  readonly #list: ItemList
  readonly #prose: ProseItems
  readonly #calls: McpCallItems
  readonly #functions: FunctionCallItems

  constructor(send: Send) {
    this.#list = new ItemList(send)
    this.#prose = new ProseItems(this.#list)
    this.#calls = new McpCallItems(this.#list)
    this.#functions = new FunctionCallItems(this.#list)
  }

  /** Starts the output. @param label Server name for tools that belong to no MCP server. */
  begin(idPrefix: string, label: string): void {
    this.#list.idPrefix = idPrefix
    this.#list.label = label
  }

  get output(): readonly OutputItem[] {
    return this.#list.items
  }

  write(step: ChatStep): readonly ResponsesEvent[] {
    switch (step.type) {
      case 'text':
      case 'reasoning':
        return this.#prose.write(step.type, step.text)
      case 'file':
        // The API has no output item for files.
        return [...this.#prose.write('text', fileUrlOf(step.file)), ...this.#prose.end('completed')]
      case 'prose-end':
        return this.#prose.end('completed')
      case 'call-start':
        return (step.execution === 'client' ? this.#functions : this.#calls).begin(step.callId, step.name)
      case 'call-delta':
        return this.#itemsOf(step.callId).write(step.callId, step.delta)
      case 'call':
        return [
          ...this.#itemsOf(step.callId).write(step.callId, step.delta),
          ...this.#itemsOf(step.callId).written(step.callId, step.arguments),
        ]
      case 'call-broken':
        return this.#functions.has(step.callId)
          ? this.#functions.breakOff(step.callId)
          : this.#calls.end(step.callId, { status: 'incomplete' })
      case 'result':
        return step.isError
          ? this.#calls.end(step.callId, { status: 'failed', error: resultText(step.message) })
          : this.#calls.end(step.callId, { status: 'completed', output: resultText(step.message) })
      case 'approval': {
        const { approvalId: id, name, input } = step.request
        const { server_label, name: tool } = this.#list.toolOf(name)
        const item = {
          id,
          type: 'mcp_approval_request',
          name: tool,
          arguments: JSON.stringify(input),
          server_label,
        } as const
        return [this.#list.add(item), this.#list.done(this.#list.length - 1)]
      }
      case 'begin':
      case 'turn':
      case 'progress':
      case 'decision':
      case 'turn-end':
      case 'end':
        return []
    }
  }

  /** Adds calls for the client that no step has shown. */
  addCalls(calls: readonly ClientCall[]): readonly ResponsesEvent[] {
    return this.#functions.add(calls)
  }

  /** Ends all open items as incomplete. */
  endAll(): readonly ResponsesEvent[] {
    return [...this.#prose.end('incomplete'), ...this.#calls.endAll(), ...this.#functions.endAll()]
  }

  #itemsOf(callId: string): McpCallItems | FunctionCallItems {
    return this.#functions.has(callId) ? this.#functions : this.#calls
  }
}

import type { ChatStep } from '../chat/chat-step.ts'
import { fileUrlOf } from '../kit/file-part.ts'
import { parseMcpToolName } from '../kit/mcp-tool-name.ts'
import { textContent, type McpCallItem, type MessageItem, type OutputItem, type ReasoningItem } from './output-item.ts'
import type { ResponsesEvent } from './response-object.ts'

type Send = (type: string, fields: object) => ResponsesEvent
type ProseItem = MessageItem | ReasoningItem

/** The growing output of a response. Each item is first added, then filled, then completed. */
export class OutputItems {
  readonly #send: Send
  readonly #items: OutputItem[] = []
  readonly #calls = new Map<string, number>()
  #prose: { readonly index: number; text: string } | undefined
  #idPrefix = ''
  #label = ''

  constructor(send: Send) {
    this.#send = send
  }

  /** Starts the output. @param label Server name for tools that belong to no MCP server. */
  begin(idPrefix: string, label: string): void {
    this.#idPrefix = idPrefix
    this.#label = label
  }

  get output(): readonly OutputItem[] {
    return this.#items
  }

  write(step: ChatStep): readonly ResponsesEvent[] {
    switch (step.type) {
      case 'text':
      case 'reasoning':
        return this.#writeProse(step.type, step.text)
      case 'file':
        // The API has no output item for files.
        return [...this.#writeProse('text', fileUrlOf(step.file)), ...this.#endProse('completed')]
      case 'prose-end':
        return this.#endProse('completed')
      case 'call-start':
        return this.#beginCall(step.callId, step.name)
      case 'call-delta':
        return this.#writeCall(step.callId, step.delta)
      case 'call':
        return [...this.#writeCall(step.callId, step.delta), ...this.#callWritten(step.callId, step.arguments)]
      case 'call-broken':
        return this.#endCall(step.callId, { status: 'incomplete' })
      case 'result':
        return step.isError
          ? this.#endCall(step.callId, { status: 'failed', error: step.text })
          : this.#endCall(step.callId, { status: 'completed', output: step.text })
      case 'approval': {
        const { approvalId: id, name, input } = step.request
        const { server_label, name: tool } = this.#toolOf(name)
        const item = {
          id,
          type: 'mcp_approval_request',
          name: tool,
          arguments: JSON.stringify(input),
          server_label,
        } as const
        return [...this.#add(item), this.#done(this.#items.length - 1)]
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

  /** Ends all open items as incomplete. */
  endAll(): readonly ResponsesEvent[] {
    const calls = [...this.#calls.keys()].flatMap(callId => this.#endCall(callId, { status: 'incomplete' }))
    return [...this.#endProse('incomplete'), ...calls]
  }

  #add(item: OutputItem): readonly ResponsesEvent[] {
    const index = this.#items.push(item) - 1
    return [this.#send('response.output_item.added', { output_index: index, item })]
  }

  #done(index: number): ResponsesEvent {
    return this.#send('response.output_item.done', { output_index: index, item: this.#items[index] })
  }

  #writeProse(kind: 'text' | 'reasoning', text: string): readonly ResponsesEvent[] {
    const opening = this.#prose === undefined ? this.#beginProse(kind) : []
    const prose = this.#prose
    if (prose === undefined) return opening
    prose.text += text
    const at = { item_id: this.#items[prose.index]?.id, output_index: prose.index }
    const delta =
      kind === 'text'
        ? this.#send('response.output_text.delta', { ...at, content_index: 0, delta: text, logprobs: [] })
        : this.#send('response.reasoning_summary_text.delta', { ...at, summary_index: 0, delta: text })
    return [...opening, delta]
  }

  #beginProse(kind: 'text' | 'reasoning'): readonly ResponsesEvent[] {
    const index = this.#items.length
    this.#prose = { index, text: '' }
    const item: ProseItem =
      kind === 'text'
        ? {
            id: `msg_${this.#idPrefix}_${index}`,
            type: 'message',
            status: 'in_progress',
            role: 'assistant',
            content: [],
          }
        : { id: `rs_${this.#idPrefix}_${index}`, type: 'reasoning', status: 'in_progress', summary: [] }
    const at = { item_id: item.id, output_index: index }
    const added = this.#add(item)
    const part =
      kind === 'text'
        ? this.#send('response.content_part.added', { ...at, content_index: 0, part: textContent('') })
        : this.#send('response.reasoning_summary_part.added', {
            ...at,
            summary_index: 0,
            part: {
              type: 'summary_text',
              text: '',
            },
          })
    return [...added, part]
  }

  #endProse(status: 'completed' | 'incomplete'): readonly ResponsesEvent[] {
    const prose = this.#prose
    this.#prose = undefined
    const item = prose === undefined ? undefined : this.#items[prose.index]
    if (prose === undefined || item === undefined) return []
    const { index, text } = prose
    const at = { item_id: item.id, output_index: index }
    if (item.type === 'message') {
      const part = textContent(text)
      this.#items[index] = { ...item, status, content: [part] }
      return [
        this.#send('response.output_text.done', { ...at, content_index: 0, text, logprobs: [] }),
        this.#send('response.content_part.done', { ...at, content_index: 0, part }),
        this.#done(index),
      ]
    }
    const part = { type: 'summary_text', text } as const
    this.#items[index] = { ...(item as ReasoningItem), status, summary: [part] }
    return [
      this.#send('response.reasoning_summary_text.done', { ...at, summary_index: 0, text }),
      this.#send('response.reasoning_summary_part.done', { ...at, summary_index: 0, part }),
      this.#done(index),
    ]
  }

  #beginCall(callId: string, name: string): readonly ResponsesEvent[] {
    const index = this.#items.length
    this.#calls.set(callId, index)
    const item: McpCallItem = {
      id: `mcp_${this.#idPrefix}_${callId}`,
      type: 'mcp_call',
      status: 'in_progress',
      ...this.#toolOf(name),
      arguments: '',
      approval_request_id: null,
      output: null,
      error: null,
    }
    const added = this.#add(item)
    return [...added, this.#send('response.mcp_call.in_progress', { item_id: item.id, output_index: index })]
  }

  #writeCall(callId: string, delta: string): readonly ResponsesEvent[] {
    const found = this.#callOf(callId)
    if (found === undefined || delta === '') return []
    const { index, item } = found
    return [this.#send('response.mcp_call_arguments.delta', { item_id: item.id, output_index: index, delta })]
  }

  #callWritten(callId: string, written: string): readonly ResponsesEvent[] {
    const found = this.#callOf(callId)
    if (found === undefined) return []
    const { index, item } = found
    this.#items[index] = { ...item, arguments: written }
    const fields = { item_id: item.id, output_index: index, arguments: written }
    return [this.#send('response.mcp_call_arguments.done', fields)]
  }

  #endCall(
    callId: string,
    end: Pick<McpCallItem, 'status'> & Partial<Pick<McpCallItem, 'output' | 'error'>>,
  ): readonly ResponsesEvent[] {
    const found = this.#callOf(callId)
    this.#calls.delete(callId)
    if (found === undefined) return []
    const { index, item } = found
    this.#items[index] = { ...item, ...end }
    if (end.status === 'incomplete') return [this.#done(index)]
    const ended = this.#send(`response.mcp_call.${end.status}`, { item_id: item.id, output_index: index })
    return [ended, this.#done(index)]
  }

  #callOf(callId: string): { readonly index: number; readonly item: McpCallItem } | undefined {
    const index = this.#calls.get(callId)
    const item = index === undefined ? undefined : this.#items[index]
    return index === undefined || item?.type !== 'mcp_call' ? undefined : { index, item }
  }

  /** Splits `mcp__<server>__<tool>` into server and tool. */
  #toolOf(name: string): Pick<McpCallItem, 'name' | 'server_label'> {
    const { server = this.#label, tool = name } = parseMcpToolName(name) ?? {}
    return { name: tool, server_label: server }
  }
}

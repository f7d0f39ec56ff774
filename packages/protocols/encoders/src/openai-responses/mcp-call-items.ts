import type { ItemList } from './item-list.ts'
import type { McpCallItem } from './output-item.ts'
import type { ResponsesEvent } from './response-object.ts'

/** The items of tool calls. Several may be open at the same time. */
export class McpCallItems {
  readonly #list: ItemList
  /** Indexes of the open calls by call id. */
  readonly #indexes = new Map<string, number>()

  constructor(list: ItemList) {
    this.#list = list
  }

  begin(callId: string, name: string): readonly ResponsesEvent[] {
    const index = this.#list.length
    this.#indexes.set(callId, index)
    const item: McpCallItem = {
      id: `mcp_${this.#list.idPrefix}_${callId}`,
      type: 'mcp_call',
      status: 'in_progress',
      ...this.#list.toolOf(name),
      arguments: '',
      approval_request_id: null,
      output: null,
      error: null,
    }
    const added = this.#list.add(item)
    return [added, this.#list.send('response.mcp_call.in_progress', { item_id: item.id, output_index: index })]
  }

  write(callId: string, delta: string): readonly ResponsesEvent[] {
    const found = this.#find(callId)
    if (found === undefined || delta === '') return []
    const { index, item } = found
    return [this.#list.send('response.mcp_call_arguments.delta', { item_id: item.id, output_index: index, delta })]
  }

  written(callId: string, written: string): readonly ResponsesEvent[] {
    const found = this.#find(callId)
    if (found === undefined) return []
    const { index, item } = found
    this.#list.replace(index, { ...item, arguments: written })
    const fields = { item_id: item.id, output_index: index, arguments: written }
    return [this.#list.send('response.mcp_call_arguments.done', fields)]
  }

  end(
    callId: string,
    end: Pick<McpCallItem, 'status'> & Partial<Pick<McpCallItem, 'output' | 'error'>>,
  ): readonly ResponsesEvent[] {
    const found = this.#find(callId)
    this.#indexes.delete(callId)
    if (found === undefined) return []
    const { index, item } = found
    this.#list.replace(index, { ...item, ...end })
    if (end.status === 'incomplete') return [this.#list.done(index)]
    const ended = this.#list.send(`response.mcp_call.${end.status}`, { item_id: item.id, output_index: index })
    return [ended, this.#list.done(index)]
  }

  /** Ends all open calls as incomplete. */
  endAll(): readonly ResponsesEvent[] {
    return [...this.#indexes.keys()].flatMap(callId => this.end(callId, { status: 'incomplete' }))
  }

  #find(callId: string): { readonly index: number; readonly item: McpCallItem } | undefined {
    const index = this.#indexes.get(callId)
    const item = index === undefined ? undefined : this.#list.at(index)
    return index === undefined || item?.type !== 'mcp_call' ? undefined : { index, item }
  }
}

import { parseMcpToolName } from '../kit/mcp-tool-name.ts'
import type { McpCallItem, OutputItem } from './output-item.ts'
import type { ResponsesEvent } from './response-object.ts'

/** Makes an event of the response, with the next number. */
export type Send = (type: string, fields: object) => ResponsesEvent

/** The output items of one response in order, and the events that add and complete them. */
export class ItemList {
  readonly send: Send
  readonly items: OutputItem[] = []
  /** Part of every item's id. */
  idPrefix = ''
  /** Server name for tools that belong to no MCP server. */
  label = ''

  constructor(send: Send) {
    this.send = send
  }

  get length(): number {
    return this.items.length
  }

  at(index: number): OutputItem | undefined {
    return this.items[index]
  }

  replace(index: number, item: OutputItem): void {
    this.items[index] = item
  }

  add(item: OutputItem): ResponsesEvent {
    const index = this.items.push(item) - 1
    return this.send('response.output_item.added', { output_index: index, item })
  }

  done(index: number): ResponsesEvent {
    return this.send('response.output_item.done', { output_index: index, item: this.items[index] })
  }

  /** Splits `mcp__<server>__<tool>` into server and tool. */
  toolOf(name: string): Pick<McpCallItem, 'name' | 'server_label'> {
    const { server = this.label, tool = name } = parseMcpToolName(name) ?? {}
    return { name: tool, server_label: server }
  }
}

import { GrowingText } from '@parley/core'
import type { ItemList } from './item-list.ts'
import { textContent, type MessageItem, type ReasoningItem } from './output-item.ts'
import type { ResponsesEvent } from './response-object.ts'

type ProseItem = MessageItem | ReasoningItem

/** The items of text and reasoning. At most one is open. */
export class ProseItems {
  readonly #list: ItemList
  #prose: { readonly index: number; readonly text: GrowingText } | undefined

  constructor(list: ItemList) {
    this.#list = list
  }

  write(kind: 'text' | 'reasoning', text: string): readonly ResponsesEvent[] {
    const opening = this.#prose === undefined ? this.#begin(kind) : []
    const prose = this.#prose
    if (prose === undefined) return opening
    prose.text.add(text)
    const at = { item_id: this.#list.at(prose.index)?.id, output_index: prose.index }
    const delta =
      kind === 'text'
        ? this.#list.send('response.output_text.delta', { ...at, content_index: 0, delta: text, logprobs: [] })
        : this.#list.send('response.reasoning_summary_text.delta', { ...at, summary_index: 0, delta: text })
    return [...opening, delta]
  }

  #begin(kind: 'text' | 'reasoning'): readonly ResponsesEvent[] {
    const index = this.#list.length
    this.#prose = { index, text: new GrowingText() }
    const item: ProseItem =
      kind === 'text'
        ? {
            id: `msg_${this.#list.idPrefix}_${index}`,
            type: 'message',
            status: 'in_progress',
            role: 'assistant',
            content: [],
          }
        : { id: `rs_${this.#list.idPrefix}_${index}`, type: 'reasoning', status: 'in_progress', summary: [] }
    const at = { item_id: item.id, output_index: index }
    const added = this.#list.add(item)
    const part =
      kind === 'text'
        ? this.#list.send('response.content_part.added', { ...at, content_index: 0, part: textContent('') })
        : this.#list.send('response.reasoning_summary_part.added', {
            ...at,
            summary_index: 0,
            part: {
              type: 'summary_text',
              text: '',
            },
          })
    return [added, part]
  }

  end(status: 'completed' | 'incomplete'): readonly ResponsesEvent[] {
    const prose = this.#prose
    this.#prose = undefined
    const item = prose === undefined ? undefined : this.#list.at(prose.index)
    if (prose === undefined || item === undefined) return []
    const { index } = prose
    const text = prose.text.value
    const at = { item_id: item.id, output_index: index }
    if (item.type === 'message') {
      const part = textContent(text)
      this.#list.replace(index, { ...item, status, content: [part] })
      return [
        this.#list.send('response.output_text.done', { ...at, content_index: 0, text, logprobs: [] }),
        this.#list.send('response.content_part.done', { ...at, content_index: 0, part }),
        this.#list.done(index),
      ]
    }
    const part = { type: 'summary_text', text } as const
    this.#list.replace(index, { ...(item as ReasoningItem), status, summary: [part] })
    return [
      this.#list.send('response.reasoning_summary_text.done', { ...at, summary_index: 0, text }),
      this.#list.send('response.reasoning_summary_part.done', { ...at, summary_index: 0, part }),
      this.#list.done(index),
    ]
  }
}

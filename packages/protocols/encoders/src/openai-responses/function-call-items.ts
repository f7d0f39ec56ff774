import type { ClientCall } from '@parley/core'
import { joinCallId } from '../kit/client-tools.ts'
import type { ItemList } from './item-list.ts'
import type { FunctionCallItem } from './output-item.ts'
import type { ResponsesEvent } from './response-object.ts'

/** The items of calls that the client executes. */
export class FunctionCallItems {
  readonly #list: ItemList
  /** Indexes of the open calls by call id. */
  readonly #indexes = new Map<string, number>()
  readonly #shown = new Set<string>()

  constructor(list: ItemList) {
    this.#list = list
  }

  has(callId: string): boolean {
    return this.#indexes.has(callId)
  }

  begin(callId: string, name: string, runId = this.#list.idPrefix): readonly ResponsesEvent[] {
    this.#indexes.set(callId, this.#list.length)
    this.#shown.add(callId)
    // Requests need not name the session, so the id names the run.
    const ids = { id: `fc_${runId}_${callId}`, call_id: joinCallId(runId, callId) }
    return [this.#list.add({ ...ids, type: 'function_call', status: 'in_progress', name, arguments: '' })]
  }

  write(callId: string, delta: string): readonly ResponsesEvent[] {
    const found = this.#find(callId)
    if (found === undefined || delta === '') return []
    const { index, item } = found
    return [this.#list.send('response.function_call_arguments.delta', { item_id: item.id, output_index: index, delta })]
  }

  /** Completes a call: the client may execute it now. */
  written(callId: string, written: string): readonly ResponsesEvent[] {
    const found = this.#find(callId)
    if (found === undefined) return []
    const { index, item } = found
    this.#indexes.delete(callId)
    this.#list.replace(index, { ...item, status: 'completed', arguments: written })
    const fields = { item_id: item.id, output_index: index, name: item.name, arguments: written }
    return [this.#list.send('response.function_call_arguments.done', fields), this.#list.done(index)]
  }

  /** Adds calls that no event has shown, such as those of child runs. */
  add(calls: readonly ClientCall[]): readonly ResponsesEvent[] {
    return calls
      .filter(({ callId }) => !this.#shown.has(callId))
      .flatMap(({ callId, name, input, runId }) => {
        const text = JSON.stringify(input)
        return [...this.begin(callId, name, runId), ...this.write(callId, text), ...this.written(callId, text)]
      })
  }

  /** Ends all open calls as incomplete. */
  endAll(): readonly ResponsesEvent[] {
    return [...this.#indexes.keys()].flatMap(callId => this.breakOff(callId))
  }

  breakOff(callId: string): readonly ResponsesEvent[] {
    const found = this.#find(callId)
    if (found === undefined) return []
    this.#indexes.delete(callId)
    this.#list.replace(found.index, { ...found.item, status: 'incomplete' })
    return [this.#list.done(found.index)]
  }

  #find(callId: string): { readonly index: number; readonly item: FunctionCallItem } | undefined {
    const index = this.#indexes.get(callId)
    const item = index === undefined ? undefined : this.#list.at(index)
    return index === undefined || item?.type !== 'function_call' ? undefined : { index, item }
  }
}

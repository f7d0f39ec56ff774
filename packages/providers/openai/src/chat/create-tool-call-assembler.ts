import type { Json, ModelEvent } from '@parley/core'
import type { ToolCallFragment } from './from-chat-chunk.ts'
import { mergeExtraContent } from './merge-extra-content.ts'

/** Joins fragments of tool calls into calls. */
export interface ToolCallAssembler {
  accept(fragment: ToolCallFragment): void
  /** Emits the calls in the order of their indexes. Returns their number. @param options `cut`: whether the answer was truncated. */
  finish(options: { readonly cut: boolean }): number
}

export interface ToolCallAssemblerOptions {
  readonly provider: string
  readonly emit: (event: ModelEvent) => void
  /** Whether the conversation already contains a call with this id. */
  readonly isUsed: (callId: string) => boolean
  readonly createCallId: () => string
}

interface Slot {
  readonly index: number
  id: string
  name: string
  arguments: string
  extra: Json | undefined
  /** Id of the call. Missing until `tool-call.start` is emitted. */
  callId: string | undefined
}

/**
 * Creates an assembler that tolerates the deviations of servers. Fragments belong together by index, else by id, else by
 * order. `''` counts as missing. The first name and id of a call are final. A call without a usable id gets a new one.
 */
export function createToolCallAssembler({
  provider,
  emit,
  isUsed,
  createCallId,
}: ToolCallAssemblerOptions): ToolCallAssembler {
  const slots: Slot[] = []
  const byIndex = new Map<number, Slot>()
  const taken = new Set<string>()

  function open({ index }: ToolCallFragment): Slot {
    const slot: Slot = {
      index: index ?? slots.length,
      id: '',
      name: '',
      arguments: '',
      extra: undefined,
      callId: undefined,
    }
    slots.push(slot)
    if (index !== undefined) byIndex.set(index, slot)
    return slot
  }

  function slotFor(fragment: ToolCallFragment): Slot {
    const { index, id } = fragment
    if (index !== undefined) {
      const slot = byIndex.get(index)
      return slot === undefined || startsAnother(fragment, slot) ? open(fragment) : slot
    }
    const known = id === '' ? undefined : slots.find(slot => slot.id === id)
    if (known !== undefined) return known
    const last = slots.at(-1)
    if (last === undefined || (id !== '' && last.id !== '')) return open(fragment)
    return startsAnother(fragment, last) ? open(fragment) : last
  }

  function announce(slot: Slot): string {
    const isFree = slot.id !== '' && !taken.has(slot.id) && !isUsed(slot.id)
    const callId = isFree ? slot.id : createCallId()
    slot.callId = callId
    taken.add(callId)
    emit({ type: 'tool-call.start', callId, name: slot.name })
    if (slot.arguments !== '') emit({ type: 'tool-call.delta', callId, delta: slot.arguments })
    return callId
  }

  return {
    accept(fragment) {
      const slot = slotFor(fragment)
      if (slot.id === '') slot.id = fragment.id
      if (slot.name === '') slot.name = fragment.name
      slot.extra = mergeExtraContent(slot.extra, fragment.extra)
      slot.arguments += fragment.arguments
      if (slot.callId !== undefined) {
        if (fragment.arguments !== '') emit({ type: 'tool-call.delta', callId: slot.callId, delta: fragment.arguments })
      } else if (slot.name !== '' && (slot.id !== '' || slot.arguments !== '')) announce(slot)
    },
    finish({ cut }) {
      const calls = slots.filter(slot => slot.name !== '' || slot.arguments !== '')
      calls.sort((a, b) => a.index - b.index)
      for (const slot of calls) {
        const callId = slot.callId ?? announce(slot)
        const data = { ...(slot.id !== '' && slot.id !== callId ? { id: slot.id } : {}), ...extraOf(slot) }
        emit({
          type: 'tool-call',
          callId,
          name: slot.name,
          // Empty text means no arguments, unless the answer was truncated before the arguments.
          arguments: slot.arguments.trim() === '' && !cut ? '{}' : slot.arguments,
          ...(Object.keys(data).length === 0 ? {} : { providerData: { provider, data } }),
        })
      }
      return calls.length
    },
  }
}

function extraOf({ extra }: Slot): Record<string, Json> {
  return extra === undefined ? {} : { extra_content: extra }
}

/** Whether a fragment starts another call instead of continuing `slot`: it has a name, and `slot` is already complete. */
function startsAnother({ id, name }: ToolCallFragment, slot: Slot): boolean {
  if (name === '' || slot.name === '') return false
  if (id !== '' && id === slot.id) return false
  return isObjectText(slot.arguments)
}

function isObjectText(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

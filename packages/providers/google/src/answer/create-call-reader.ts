import type { Json, ModelEvent, ProviderData } from '@parley/core'
import { fieldsOf, listOf, textOf, type Fields } from '@parley/provider-kit'
import { createArgumentBuilder, type ArgumentBuilder } from './create-argument-builder.ts'

/** Reads tool calls, complete or in pieces. */
export interface CallReader {
  /** Reads the field `functionCall` of a part: a whole tool call, or a piece of one. */
  accept(call: Fields, part: Fields): void
  /** Completes an open call. Returns the number of calls in the answer. */
  end(): number
}

export interface CallReaderOptions {
  readonly emit: (event: ModelEvent) => void
  readonly createCallId: () => string
  /** Returns the data to keep with a part, including its signature. */
  readonly signed: (part: Fields, more: Record<string, Json>) => { providerData?: ProviderData }
}

interface OpenCall {
  readonly callId: string
  readonly name: string
  readonly data: { providerData?: ProviderData }
  readonly builder: ArgumentBuilder
}

export function createCallReader({ emit, createCallId, signed }: CallReaderOptions): CallReader {
  const taken = new Set<string>()
  let open: OpenCall | undefined

  function start(call: Fields, part: Fields): OpenCall {
    const id = textOf(call['id'])
    const callId = id === '' || taken.has(id) ? createCallId() : id
    taken.add(callId)
    const name = textOf(call['name'])
    emit({ type: 'tool-call.start', callId, name })
    return { callId, name, data: signed(part, id === '' ? {} : { id }), builder: createArgumentBuilder() }
  }

  function finish({ callId, name, data }: OpenCall, args: unknown): void {
    const text = JSON.stringify(args)
    emit({ type: 'tool-call.delta', callId, delta: text })
    emit({ type: 'tool-call', callId, name, arguments: text, ...data })
  }

  function closeOpen(): void {
    if (open === undefined) return
    finish(open, open.builder.value)
    open = undefined
  }

  return {
    accept(call, part) {
      const pieces = listOf(call['partialArgs'])
      const continues = call['willContinue'] === true
      // Only the first piece of a call contains its name.
      if (textOf(call['name']) !== '') {
        closeOpen()
        const started = start(call, part)
        if (!continues && pieces.length === 0) {
          finish(started, call['args'] ?? {})
          return
        }
        open = started
      }
      for (const piece of pieces) open?.builder.add(fieldsOf(piece) ?? {})
      if (!continues) closeOpen()
    },
    end() {
      closeOpen()
      return taken.size
    },
  }
}

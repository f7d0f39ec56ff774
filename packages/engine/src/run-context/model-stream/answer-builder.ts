import {
  ZERO_USAGE,
  type AssistantMessage,
  type AssistantPart,
  type FinishReason,
  type ModelEvent,
  type ProviderData,
  type Usage,
} from '@parley/core'

/** Builds one assistant message from a model's events. */
export class AnswerBuilder {
  #parts: AssistantPart[] = []
  #open: 'text' | 'reasoning' | undefined
  #text = ''
  usage: Usage = ZERO_USAGE
  /** Whether the provider has reported usage. */
  counted = false
  /** The cost that the provider reports. */
  costUsd: number | undefined
  finish: FinishReason | undefined

  add(event: ModelEvent): void {
    switch (event.type) {
      case 'text.delta':
        if (this.#open !== 'text') this.#begin('text')
        this.#text += event.text
        break
      case 'reasoning.delta':
        if (this.#open !== 'reasoning') this.#begin('reasoning')
        this.#text += event.text
        break
      case 'text.end':
        this.#end('text', event.providerData)
        break
      case 'reasoning.end':
        this.#end('reasoning', event.providerData)
        break
      case 'tool-call': {
        this.#close()
        const { callId, name, arguments: text, providerData } = event
        this.#push({ type: 'tool-call', callId, name, arguments: text, ...withData(providerData) })
        break
      }
      case 'file':
        this.#close()
        this.#push(event.part)
        break
      case 'opaque':
        this.#close()
        this.#push({ type: 'opaque', providerData: event.providerData })
        break
      case 'usage':
        this.usage = event.usage
        this.costUsd = event.costUsd
        this.counted = true
        break
      case 'finish':
        this.finish = event.reason
        break
      case 'tool-call.start':
      case 'tool-call.delta':
      case 'retry':
        break
    }
  }

  /** The message so far. Replaces call ids that are empty or already used, and adds every id to the used ones. */
  message(model: string, callIds: () => Set<string>): AssistantMessage {
    this.#close()
    for (const [index, part] of this.#parts.entries()) {
      if (part.type !== 'tool-call') continue
      const usedIds = callIds()
      if (part.callId === '' || usedIds.has(part.callId)) part.callId = `call_${usedIds.size}_${index}`
      usedIds.add(part.callId)
    }
    return {
      role: 'assistant',
      content: this.#parts,
      model,
      ...(this.finish === undefined ? {} : { finish: this.finish }),
    }
  }

  #begin(kind: 'text' | 'reasoning'): void {
    this.#close()
    this.#open = kind
  }

  #end(kind: 'text' | 'reasoning', providerData: ProviderData | undefined): void {
    if (this.#open !== kind) this.#begin(kind)
    this.#close(providerData)
  }

  #push(part: AssistantPart): void {
    // Most answers have one part, and V8 reserves 17 slots at the first push (bench: tricks answer-parts).
    if (this.#parts.length === 0) this.#parts = [part]
    else this.#parts.push(part)
  }

  #close(providerData?: ProviderData): void {
    if (this.#open === undefined) return
    if (this.#text !== '' || providerData !== undefined) {
      this.#push({ type: this.#open, text: this.#text, ...withData(providerData) })
    }
    this.#open = undefined
    this.#text = ''
  }
}

function withData(providerData: ProviderData | undefined): { providerData?: ProviderData } {
  return providerData === undefined ? {} : { providerData }
}

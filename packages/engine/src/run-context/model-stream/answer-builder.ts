import {
  GrowingText,
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
  #text: GrowingText | undefined
  usage: Usage = ZERO_USAGE
  /** Whether the provider has reported usage. */
  counted = false
  /** The cost that the provider reports. */
  costUsd: number | undefined
  finish: FinishReason | undefined

  /** The text of the part that is being written, or was written last. */
  get text(): GrowingText | undefined {
    return this.#text
  }

  /** The text and the reasoning so far. */
  get prose(): readonly { readonly type: 'text' | 'reasoning'; readonly text: string }[] {
    const ended = this.#parts.filter(part => part.type === 'text' || part.type === 'reasoning')
    return this.#open === undefined ? ended : [...ended, { type: this.#open, text: this.#text?.value ?? '' }]
  }

  add(event: ModelEvent): void {
    switch (event.type) {
      case 'text.delta':
        this.#textOf('text').add(event.text)
        break
      case 'reasoning.delta':
        this.#textOf('reasoning').add(event.text)
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
        this.usage = readableUsage(event.usage)
        this.costUsd = isAmount(event.costUsd) ? event.costUsd : undefined
        this.counted = true
        break
      case 'finish':
        this.finish = FINISH_REASONS.has(event.reason) ? event.reason : 'other'
        break
      case 'tool-call.start':
      case 'tool-call.delta':
      case 'retry':
        break
    }
  }

  /**
   * The message so far. Replaces call ids that are empty or already used, and adds every id to the used ones. Marks the
   * calls that the client executes.
   */
  message(model: string, callIds: () => Set<string>, isOfClient?: (name: string) => boolean): AssistantMessage {
    this.#close()
    for (const [index, part] of this.#parts.entries()) {
      if (part.type !== 'tool-call') continue
      const usedIds = callIds()
      if (part.callId === '' || usedIds.has(part.callId)) part.callId = `call_${usedIds.size}_${index}`
      usedIds.add(part.callId)
      if (isOfClient?.(part.name)) part.execution = 'client'
    }
    return {
      role: 'assistant',
      content: this.#parts,
      model,
      ...(this.finish === undefined ? {} : { finish: this.finish }),
    }
  }

  /** The text of the open part of this kind, or of a new one. */
  #textOf(kind: 'text' | 'reasoning'): GrowingText {
    if (this.#open === kind && this.#text !== undefined) return this.#text
    this.#close()
    this.#open = kind
    this.#text = new GrowingText()
    return this.#text
  }

  #end(kind: 'text' | 'reasoning', providerData: ProviderData | undefined): void {
    this.#textOf(kind)
    this.#close(providerData)
  }

  #push(part: AssistantPart): void {
    // Most answers have one part, and V8 reserves 17 slots at the first push (bench: tricks answer-parts).
    if (this.#parts.length === 0) this.#parts = [part]
    else this.#parts.push(part)
  }

  #close(providerData?: ProviderData): void {
    if (this.#open === undefined) return
    const text = this.#text?.value ?? ''
    if (text !== '' || providerData !== undefined) this.#push({ type: this.#open, text, ...withData(providerData) })
    this.#open = undefined
  }
}

const FINISH_REASONS: ReadonlySet<unknown> = new Set<FinishReason>([
  'stop',
  'length',
  'tool-calls',
  'content-filter',
  'refusal',
  'pause',
  'error',
  'other',
])

/** Rounds counts to whole numbers. A journal with any other number could not be read back. */
function readableUsage(usage: Usage): Usage {
  if (hasCounts(usage)) return usage
  const read = Object.entries(usage).map(([field, count]) => [field, isAmount(count) ? Math.round(count) : 0])
  return { ...ZERO_USAGE, ...(Object.fromEntries(read) as Partial<Usage>) }
}

function hasCounts(usage: Usage): boolean {
  for (const field in usage) if (!isCount(usage[field as keyof Usage])) return false
  return true
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Infinity
}

function isCount(value: unknown): boolean {
  return isAmount(value) && Number.isInteger(value)
}

function withData(providerData: ProviderData | undefined): { providerData?: ProviderData } {
  return providerData === undefined ? {} : { providerData }
}

import type { Json, ModelEvent } from '@parley/core'

/** Writes the text of one answer. */
export interface TextWriter {
  text(words: string): void
  refusal(words: string): void
  /** Ends the open part. `data` is kept with the part and sent back to the provider. */
  end(data?: Readonly<Record<string, Json>>): void
}

export interface TextWriterOptions {
  readonly provider: string
  readonly emit: (event: ModelEvent) => void
}

/**
 * Creates a writer that emits a refusal as a separate part, marked as a refusal, because earlier text does not belong to it. A
 * blank line separates the two for readers that see only the text.
 */
export function createTextWriter({ provider, emit }: TextWriterOptions): TextWriter {
  let open: 'text' | 'refusal' | undefined
  let hasSpoken = false

  function end(data: Readonly<Record<string, Json>> = {}): void {
    const whole = open === 'refusal' ? { ...data, refusal: true } : data
    if (Object.keys(whole).length > 0) emit({ type: 'text.end', providerData: { provider, data: whole } })
    else if (open !== undefined) emit({ type: 'text.end' })
    open = undefined
  }

  function write(kind: 'text' | 'refusal', words: string): void {
    if (words === '') return
    const turns = open !== kind && hasSpoken && (kind === 'refusal' || open === 'refusal')
    if (turns) end()
    open = kind
    hasSpoken = true
    emit({ type: 'text.delta', text: turns ? `\n\n${words}` : words })
  }

  return {
    text: words => write('text', words),
    refusal: words => write('refusal', words),
    end: data => {
      if (open === 'refusal' || data !== undefined) end(data)
    },
  }
}

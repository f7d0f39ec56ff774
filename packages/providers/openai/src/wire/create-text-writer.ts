import type { Json, ModelEvent } from '@parley/core'

/** Where the words of one answer go. */
export interface TextWriter {
  text(words: string): void
  refusal(words: string): void
  /** Closes what is open. `data` goes back to the provider with it. */
  end(data?: Readonly<Record<string, Json>>): void
}

export interface TextWriterOptions {
  readonly provider: string
  readonly emit: (event: ModelEvent) => void
}

/**
 * Emits text, and a refusal as a part of its own, marked as one: what the model had said before it refused is none of it.
 * A blank line keeps them apart for whoever reads the text alone.
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

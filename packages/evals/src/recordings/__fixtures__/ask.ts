import type { Model, ModelEvent, ModelRequest } from '@parley/core'

export const request = (text: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  system: [{ text: 'Be brief.' }],
  messages: [{ role: 'user', content: [{ type: 'text', text }] }],
  tools: [],
  settings: {},
  ...more,
})

export interface Answer {
  readonly events: readonly ModelEvent[]
  readonly error: unknown
}

/** Reads an answer to its end or to its failure. */
export async function ask(model: Model, asked: ModelRequest, signal?: AbortSignal): Promise<Answer> {
  const events: ModelEvent[] = []
  try {
    for await (const event of model.stream(asked, { signal })) events.push(event)
  } catch (error) {
    return { events, error }
  }
  return { events, error: undefined }
}

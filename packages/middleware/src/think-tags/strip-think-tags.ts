import { defineMiddleware, ParleyError, type Middleware, type ModelEvent } from '@parley/core'
import { checkFields } from '../options/check-fields.ts'
import { ThinkSplitter, type Piece } from './think-splitter.ts'

export interface StripThinkTagsOptions {
  /** Names of the tags. @default ['think', 'thinking', 'reasoning'] */
  readonly tags?: readonly string[] | undefined
  /** Whether thoughts go on as reasoning, which watchers see apart from the text, or nowhere. @default 'reasoning' */
  readonly as?: 'reasoning' | 'nothing' | undefined
  /** Whether the server has written the first opening tag itself, so that answers begin within it. @default false */
  readonly opened?: boolean | undefined
}

/**
 * Takes the thoughts that some models write into their text (`<think>…</think>`) out of it, while it streams. Each tag ends
 * at its own closing tag. An opening tag in the middle of a text that nothing closes is text; one at its beginning is a
 * thought that was cut off.
 * @throws ParleyError `config-invalid`.
 */
export function stripThinkTags(options: StripThinkTagsOptions = {}): Middleware {
  checkFields('stripThinkTags', options, ['tags', 'as', 'opened'])
  const { tags = ['think', 'thinking', 'reasoning'], as = 'reasoning', opened = false } = options
  if (tags.length === 0 || !tags.every(tag => /^[\w-]+$/.test(tag))) {
    throw new ParleyError({ code: 'config-invalid', path: 'stripThinkTags.tags', detail: 'must be names of tags' })
  }

  function* show(pieces: readonly Piece[]): Generator<ModelEvent> {
    for (const { kind, text } of pieces) {
      if (kind === 'text') yield { type: 'text.delta', text }
      else if (as === 'reasoning') yield { type: 'reasoning.delta', text }
    }
  }

  return defineMiddleware('think-tags', () => ({
    async *model(call, next) {
      let splitter = new ThinkSplitter(tags, opened)
      for await (const event of next(call)) {
        if (event.type === 'text.delta' && !splitter.passes(event.text)) {
          yield* show(splitter.add(event.text))
          continue
        }
        if (endsText(event)) {
          yield* show(splitter.end())
          splitter = new ThinkSplitter(tags, false)
        }
        yield event
      }
    },
  }))
}

/** Waits and tokens come in the middle of a text. */
function endsText({ type }: ModelEvent): boolean {
  return type !== 'text.delta' && type !== 'retry' && type !== 'usage'
}

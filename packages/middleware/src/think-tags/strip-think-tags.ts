import {
  checkOptions,
  defineMiddleware,
  ParleyError,
  type Middleware,
  type ModelEvent,
  type OptionKinds,
} from '@parley/core'
import { ThinkSplitter, type Piece } from './think-splitter.ts'

export interface StripThinkTagsOptions {
  /** Names of the tags. @default ['think', 'thinking', 'reasoning'] */
  readonly tags?: readonly string[] | undefined
  /**
   * Whether thoughts become reasoning, which readers see separately from the text, or are dropped. @default 'reasoning'
   */
  readonly as?: 'reasoning' | 'nothing' | undefined
  /** Whether the server's template already wrote the first opening tag, so that answers begin inside it. @default false */
  readonly opened?: boolean | undefined
}

const OPTIONS: OptionKinds<StripThinkTagsOptions> = {
  tags: 'strings',
  as: ['reasoning', 'nothing'],
  opened: 'boolean',
}

/**
 * Removes the thoughts that some models write into their text (`<think>…</think>`), while the text streams. Each tag ends at
 * its own closing tag. An opening tag that is never closed counts as text in the middle of an answer, and as a truncated
 * thought at the beginning.
 * @throws ParleyError `config-invalid` if an option is unknown or a tag is not a name.
 */
export function stripThinkTags(options: StripThinkTagsOptions = {}): Middleware {
  checkOptions('stripThinkTags', options, OPTIONS)
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

/** Returns whether an event ends the text. Retries and usage can come in the middle of a text. */
function endsText({ type }: ModelEvent): boolean {
  return type !== 'text.delta' && type !== 'retry' && type !== 'usage'
}

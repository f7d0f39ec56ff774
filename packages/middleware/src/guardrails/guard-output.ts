import {
  checkOptions,
  defineMiddleware,
  ParleyError,
  type Middleware,
  type ModelEvent,
  type OptionKinds,
} from '@parley/core'
import { askGuard, type Guard } from './guard.ts'

export interface GuardOutputOptions {
  /** The guards, called in order. The first that blocks decides. */
  readonly guards: readonly Guard[]
  /** Text that replaces a blocked answer. @default none: the run fails with `model-content-filter` */
  readonly fallback?: string | undefined
}

const OPTIONS: OptionKinds<GuardOutputOptions> = {
  guards: 'list!',
  fallback: 'string',
}

/**
 * Holds each answer back until the guards have passed its text, so that blocked text is neither shown nor journaled.
 * Reasoning is held back as well, and dropped if the text is blocked or replaced. The tool calls of a blocked answer are
 * dropped too.
 * @throws ParleyError `config-invalid` if an option is unknown.
 */
export function guardOutput(options: GuardOutputOptions): Middleware {
  checkOptions('guardOutput', options, OPTIONS)
  const { guards, fallback } = options
  return defineMiddleware('guard-output', run => ({
    async *model(call, next) {
      const held: ModelEvent[] = []
      for await (const event of next(call)) {
        if (event.type === 'retry') yield event
        else held.push(event)
      }
      const original = textOf(held)
      let text = original
      for (const guard of text === '' ? [] : guards) {
        const verdict = await askGuard(guard, text, { kind: 'output', run, signal: call.signal })
        if (verdict === 'pass') continue
        if (verdict.type === 'replace') {
          text = verdict.text ?? text
          continue
        }
        const { provider, id: model } = call.model
        const detail = `${guard.name} blocked the answer: ${verdict.reason}`
        if (fallback === undefined) throw new ParleyError({ code: 'model-content-filter', provider, model, detail })
        yield* blocked(held, fallback)
        return
      }
      yield* text === original ? held : replaced(held, text)
    },
  }))
}

function textOf(events: readonly ModelEvent[]): string {
  let text = ''
  for (const event of events) if (event.type === 'text.delta') text += event.text
  return text
}

/** Yields the fallback and the usage of the blocked call. */
function* blocked(events: readonly ModelEvent[], fallback: string): Generator<ModelEvent> {
  yield { type: 'text.delta', text: fallback }
  yield* events.filter(event => event.type === 'usage')
  yield { type: 'finish', reason: 'content-filter' }
}

/** Yields the same answer with one text instead of all its texts. */
function* replaced(events: readonly ModelEvent[], text: string): Generator<ModelEvent> {
  yield { type: 'text.delta', text }
  yield { type: 'text.end' }
  for (const event of events) if (!event.type.startsWith('text.') && !event.type.startsWith('reasoning.')) yield event
}

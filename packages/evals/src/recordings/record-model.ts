import { resolve } from 'node:path'
import {
  checkOptions,
  monotonicNow,
  systemClock,
  toErrorInfo,
  type Clock,
  type ErrorInfo,
  type Model,
  type ModelCallOptions,
  type ModelEvent,
  type ModelRequest,
  type OptionKinds,
} from '@parley/core'
import type { RecordedCall, TimedEvent } from './cassette.ts'
import { findWriter } from './cassette-writer.ts'
import { createMask } from './masking/create-mask.ts'
import { maskEvents } from './masking/mask-events.ts'
import { toMaskSettings, type MaskOptions } from './masking/mask-settings.ts'

/** Options of `recordModel`. */
export interface RecordModelOptions extends MaskOptions {
  /** Path of the cassette file. Models of one process may share a file. */
  readonly file: string
  /**
   * What happens to the calls that an earlier process recorded in the file: `replace` removes them when the first call ends, `append`
   * keeps them. @default 'replace'
   */
  readonly existing?: 'replace' | 'append' | undefined
  /** Provides times. @default the machine's clock */
  readonly clock?: Clock | undefined
}

const OPTIONS: OptionKinds<RecordModelOptions> = {
  file: 'string!',
  existing: ['replace', 'append'],
  personalData: 'strings',
  patterns: 'list',
  clock: 'clock',
}

/**
 * Wraps a model so that each call is also written to a cassette file: the request, the events with their times, and a failure as
 * data. Readers see the model's own answers; credentials and personal data are removed from the file only.
 * @param options The path of the file, or options.
 * @throws ParleyError `config-invalid` for an invalid option; from a call, if its line cannot be written.
 */
export function recordModel(model: Model, options: string | RecordModelOptions): Model {
  const given = typeof options === 'string' ? { file: options } : options
  checkOptions('recordModel', given, OPTIONS)
  const { file, existing = 'replace', clock = systemClock } = given
  const masks = toMaskSettings('recordModel', given)
  const mask = createMask(masks)
  const { provider, id, info } = model
  const path = resolve(file)

  async function* stream(request: ModelRequest, callOptions: ModelCallOptions): AsyncGenerator<ModelEvent, undefined> {
    const writer = findWriter(path, masks, existing)
    const call = writer.begin()
    const startedAt = monotonicNow(clock)
    const elapsed = (): number => Math.max(0, Math.round(monotonicNow(clock) - startedAt))
    const events: TimedEvent[] = []
    // A reader that leaves the stream ends the generator without an error.
    let end: RecordedCall['end'] = 'stopped'
    try {
      for await (const event of model.stream(request, callOptions)) {
        events.push([elapsed(), event])
        yield event
      }
      end = 'finished'
    } catch (error) {
      if (callOptions.signal?.aborted !== true) end = { error: masked(toErrorInfo(error)) }
      throw error
    } finally {
      writer.add(
        { provider, id, info },
        {
          call,
          model: `${provider}/${id}`,
          request: mask.request(request),
          events: maskEvents(events, mask),
          ms: elapsed(),
          end,
        },
      )
    }
    return undefined
  }

  function masked(error: ErrorInfo): ErrorInfo {
    const { stack: _own, ...rest } = error as ErrorInfo & { readonly stack?: string }
    return {
      ...rest,
      ...('detail' in rest && typeof rest.detail === 'string' ? { detail: mask.text(rest.detail) } : {}),
    }
  }

  return { provider, id, info, stream: (request, callOptions) => stream(request, callOptions) }
}

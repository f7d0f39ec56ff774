import {
  canonicalJson,
  checkOptions,
  ParleyError,
  systemClock,
  untilAborted,
  type Clock,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type OptionKinds,
} from '@parley/core'
import type { Cassette, RecordedCall, RecordedModel } from './cassette.ts'
import { toComparable, withFieldsOf, fieldsOf, type ComparableRequest } from './comparing/comparable-request.ts'
import { describeMiss } from './comparing/describe-miss.ts'
import { createMask } from './masking/create-mask.ts'
import { readCassette } from './parse-cassette.ts'

/** Options of `replayModel`. */
export interface ReplayModelOptions {
  /** The model to answer for, as `provider/id`. @default the only model of the cassette */
  readonly model?: string | undefined
  /** When the events come: at once, or with the recorded pauses. @default 'instant' */
  readonly timing?: 'instant' | 'recorded' | undefined
  /**
   * Changes a request before it is compared, recorded and asked ones alike: remove what differs in every run, for example a date
   * in a message. @default nothing is changed
   */
  readonly normalize?: ((request: ModelRequest) => ModelRequest) | undefined
  /** Called with the explanation of a request that the cassette lacks, before the call fails. @default not called */
  readonly onMiss?: ((explanation: string) => void) | undefined
  /** Provides timers. @default the machine's clock */
  readonly clock?: Clock | undefined
}

/** A model that answers from a cassette. */
export interface ReplayModel extends Model {
  /** The recorded calls of this model that were not asked for yet. */
  readonly unused: readonly RecordedCall[]
}

const OPTIONS: OptionKinds<ReplayModelOptions> = {
  model: 'string',
  timing: ['instant', 'recorded'],
  normalize: 'function',
  onMiss: 'function',
  clock: 'clock',
}

/**
 * Creates a model that answers from a cassette: with the same events in the same pieces, or with the recorded failure. A request is found
 * by its content; equal requests get their answers in recorded order, each once. A call that its reader stopped waits for the same
 * stop. A request that the cassette lacks fails with `model-invalid-request`, whose text shows what changed.
 * @param cassette The path of a cassette file, or a cassette.
 * @throws ParleyError `file-unreadable` if the file is missing, empty, damaged or of a newer version; `config-invalid`.
 */
export function replayModel(cassette: string | Cassette, options: ReplayModelOptions = {}): ReplayModel {
  checkOptions('replayModel', options, OPTIONS)
  const { timing = 'instant', normalize, onMiss, clock = systemClock } = options
  const file = typeof cassette === 'string' ? cassette : 'of the run'
  const { masks, models, calls } = typeof cassette === 'string' ? readCassette(cassette) : cassette
  const { provider, id, info } = chosen(models, options.model)
  const name = `${provider}/${id}`
  const mask = createMask(masks)
  const prepared = (request: ModelRequest): ComparableRequest => toComparable(normalize?.(request) ?? request)
  const recorded = calls
    .filter(call => call.model === name)
    // The recorded request of a cassette that was made from a journal may lack fields, which `normalize` then does not see.
    .map(call => ({ call, request: prepared(call.request as ModelRequest) }))
  const index = createIndex(recorded)
  const used = new Set<RecordedCall>()

  function find(request: ModelRequest): RecordedCall {
    const asked = prepared(mask.request(request))
    const call = index.find(asked, each => !used.has(each))
    if (call !== undefined) {
      used.add(call)
      return call
    }
    const candidates = recorded.map(each => ({ ...each, used: used.has(each.call) }))
    const detail = describeMiss({ file, model: name, asked, candidates, models: models.map(nameOf) })
    onMiss?.(detail)
    const advice = 'Record the cassette again if the change is intended.'
    throw new ParleyError({ code: 'model-invalid-request', provider, model: id, detail: `${detail}\n${advice}` })
  }

  async function* stream(
    request: ModelRequest,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ModelEvent, undefined> {
    signal?.throwIfAborted()
    const { call, events, end, ms } = find(request)
    let last = 0
    const waitUntil = async (at: number): Promise<void> => {
      if (timing === 'recorded' && at > last) await pause(clock, at - last, signal)
      last = Math.max(last, at)
      signal?.throwIfAborted()
    }
    for (const [at, event] of events) {
      await waitUntil(at)
      yield event
    }
    if (end === 'stopped') return untilStopped(call, signal)
    if (end !== 'finished') await waitUntil(ms)
    signal?.throwIfAborted()
    if (end !== 'finished') throw new ParleyError(end.error)
    return undefined
  }

  /** The recorded call sent nothing more until its reader stopped it. */
  async function untilStopped(call: number, signal: AbortSignal | undefined): Promise<undefined> {
    if (signal !== undefined) await untilAborted(new Promise<never>(() => {}), signal)
    const detail = `Call ${call} of the cassette ${file} was stopped by its reader here, so its answer has no end.`
    throw new ParleyError({ code: 'model-stream', provider, model: id, detail })
  }

  return {
    provider,
    id,
    info,
    get unused() {
      return recorded.flatMap(({ call }) => (used.has(call) ? [] : [call]))
    },
    stream: (request, { signal }) => stream(request, signal),
  }
}

interface Prepared {
  readonly call: RecordedCall
  readonly request: ComparableRequest
}

/** Finds recorded calls by the text of their requests. */
function createIndex(recorded: readonly Prepared[]) {
  const byText = new Map<string, RecordedCall[]>()
  // Calls of one cassette normally have the same fields.
  const shapes = new Map<string, ComparableRequest>()
  for (const { call, request } of recorded) {
    shapes.set(fieldsOf(request), request)
    const key = canonicalJson(request)
    const found = byText.get(key)
    if (found === undefined) byText.set(key, [call])
    else found.push(call)
  }
  return {
    find(asked: ComparableRequest, isFree: (call: RecordedCall) => boolean): RecordedCall | undefined {
      for (const shape of shapes.values()) {
        const call = byText.get(canonicalJson(withFieldsOf(asked, shape)))?.find(isFree)
        if (call !== undefined) return call
      }
      return undefined
    },
  }
}

function chosen(models: readonly RecordedModel[], name: string | undefined): RecordedModel {
  const found = name === undefined ? models : models.filter(model => nameOf(model) === name)
  const [model, ...others] = found
  if (model !== undefined && others.length === 0) return model
  const known = models.map(nameOf).join(', ')
  const detail =
    models.length === 0
      ? 'the cassette has no calls; record it again'
      : name === undefined
        ? `the cassette has calls of ${known}; name one of them`
        : `is '${name}'; the cassette has calls of ${known}`
  throw new ParleyError({ code: 'config-invalid', path: 'replayModel.model', detail })
}

function nameOf({ provider, id }: RecordedModel): string {
  return `${provider}/${id}`
}

async function pause(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  const waited = Promise.withResolvers<void>()
  const cancel = clock.after(ms, waited.resolve)
  try {
    await untilAborted(waited.promise, signal)
  } finally {
    cancel()
  }
}

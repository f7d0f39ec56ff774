import { context, SpanKind, trace, type Attributes, type Span } from '@opentelemetry/api'
import {
  toErrorInfo,
  ZERO_USAGE,
  type MiddlewareStages,
  type ModelCall,
  type ModelEvent,
  type RunFacts,
} from '@parley/core'
import { ATTRIBUTE, providerName } from './attribute-names.ts'
import { AnswerContent, requestContent } from './content-attributes.ts'
import type { Telemetry } from './telemetry.ts'
import type { Measured, RunTelemetry } from './run-telemetry.ts'
import { endSpan } from './trace-tool.ts'
import { inputTokens, usageAttributes } from './usage-attributes.ts'

/** Creates a model stage with a span around each call. The span is active while the provider answers. */
export function traceModel(
  telemetry: Telemetry,
  run: RunFacts,
  runTelemetry: RunTelemetry,
): NonNullable<MiddlewareStages['model']> {
  return async function* (call, next) {
    const { id } = call.model
    const attributes = requestAttributes(call, run, telemetry.content)
    const span = telemetry.tracer.startSpan(`chat ${id}`, { kind: SpanKind.CLIENT, attributes }, runTelemetry.context)
    const active = trace.setSpan(runTelemetry.context, span)
    const chat = new Chat(telemetry, call, span)
    runTelemetry.beginChat(chat)
    let open: AsyncIterator<ModelEvent> | undefined
    try {
      const iterator = context.with(active, () => next(call)[Symbol.asyncIterator]())
      open = iterator
      for (;;) {
        const result = await context.with(active, () => iterator.next())
        if (result.done === true) break
        chat.see(result.value)
        yield result.value
      }
      open = undefined
    } catch (error) {
      open = undefined
      chat.fail(call.signal.aborted ? 'cancelled' : toErrorInfo(error).code)
      throw error
    } finally {
      chat.end()
      await open?.return?.()
    }
  }
}

/** Measurements of one model call. */
class Chat implements Measured {
  readonly #telemetry: Telemetry
  readonly #call: ModelCall
  readonly #span: Span
  readonly #startedAt: number
  readonly #content: AnswerContent | undefined
  #usage = ZERO_USAGE
  #firstAfter: number | undefined
  #finish: string | undefined
  #errorType: string | undefined
  #ended = false

  constructor(telemetry: Telemetry, call: ModelCall, span: Span) {
    this.#telemetry = telemetry
    this.#call = call
    this.#span = span
    this.#startedAt = telemetry.now()
    this.#content = telemetry.content ? new AnswerContent() : undefined
    telemetry.instruments.modelRequests.add(1, modelAttributes(call))
  }

  see(event: ModelEvent): void {
    if (event.type === 'usage') this.#usage = event.usage
    else if (event.type === 'finish') this.#finish = event.reason
    else if (event.type === 'retry') {
      const { attempt, delayMs, error, fallback } = event
      this.#span.addEvent('parley.model.retrying', {
        'parley.attempt': attempt,
        'parley.delay_ms': delayMs,
        [ATTRIBUTE.errorType]: error.code,
        ...(fallback === undefined ? {} : { 'parley.fallback.from': fallback.from, 'parley.fallback.to': fallback.to }),
      })
    } else this.#firstAfter ??= this.#seconds()
    this.#content?.add(event)
  }

  fail(errorType: string): void {
    this.#errorType = errorType
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    const { instruments } = this.#telemetry
    const errorType = this.#errorType ?? (this.#finish === undefined ? this.#unfinished() : undefined)
    const base = modelAttributes(this.#call)
    const failed = errorType === undefined ? base : { ...base, [ATTRIBUTE.errorType]: errorType }
    instruments.operationDuration.record(this.#seconds(), failed)
    if (this.#firstAfter !== undefined) {
      instruments.timeToFirstChunk.record(this.#firstAfter, base)
      this.#span.setAttribute(ATTRIBUTE.timeToFirstChunk, this.#firstAfter)
    }
    // The provider has not reported tokens.
    if (this.#usage !== ZERO_USAGE) {
      instruments.tokenUsage.record(inputTokens(this.#usage), { ...base, [ATTRIBUTE.tokenType]: 'input' })
      instruments.tokenUsage.record(this.#usage.output, { ...base, [ATTRIBUTE.tokenType]: 'output' })
      this.#span.setAttributes(usageAttributes(this.#usage))
    }
    if (this.#finish !== undefined) this.#span.setAttribute(ATTRIBUTE.finishReasons, [this.#finish])
    if (this.#content !== undefined) this.#span.setAttributes(this.#content.attributes(this.#finish))
    endSpan(this.#span, errorType)
  }

  /** Returns the error type of a call without a finish: the reader left the stream, or the stream ended early. */
  #unfinished(): string {
    return this.#call.signal.aborted ? 'cancelled' : 'model-stream'
  }

  #seconds(): number {
    return (this.#telemetry.now() - this.#startedAt) / 1_000
  }
}

function modelAttributes({ model: { provider, id } }: ModelCall): Attributes {
  return {
    [ATTRIBUTE.operation]: 'chat',
    [ATTRIBUTE.provider]: providerName(provider),
    [ATTRIBUTE.requestModel]: id,
  }
}

function requestAttributes(call: ModelCall, { agent, sessionId }: RunFacts, content: boolean): Attributes {
  const { settings } = call.request
  const { maxOutputTokens, temperature, topP, topK, frequencyPenalty, presencePenalty, seed, stopSequences, output } =
    settings
  return {
    ...modelAttributes(call),
    [ATTRIBUTE.agentName]: agent,
    [ATTRIBUTE.conversation]: sessionId,
    [ATTRIBUTE.turn]: call.turn,
    ...(maxOutputTokens !== undefined && { [ATTRIBUTE.maxTokens]: maxOutputTokens }),
    ...(temperature !== undefined && { [ATTRIBUTE.temperature]: temperature }),
    ...(topP !== undefined && { [ATTRIBUTE.topP]: topP }),
    ...(topK !== undefined && { [ATTRIBUTE.topK]: topK }),
    ...(frequencyPenalty !== undefined && { [ATTRIBUTE.frequencyPenalty]: frequencyPenalty }),
    ...(presencePenalty !== undefined && { [ATTRIBUTE.presencePenalty]: presencePenalty }),
    ...(seed !== undefined && { [ATTRIBUTE.seed]: seed }),
    ...(stopSequences !== undefined && { [ATTRIBUTE.stopSequences]: [...stopSequences] }),
    ...(output !== undefined && { [ATTRIBUTE.outputType]: 'json' }),
    ...(content && requestContent(call.request)),
  }
}

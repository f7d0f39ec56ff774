import { SpanKind, SpanStatusCode, trace, type Attributes, type Context, type Span } from '@opentelemetry/api'
import { describeError, type EntryOf, type RunEvent, type RunFacts } from '@parley/core'
import { ATTRIBUTE } from './attribute-names.ts'
import { EVALUATION_EVENT, evalAttributes, scoreAttributes } from './eval-scores.ts'
import type { Telemetry } from './telemetry.ts'
import { usageAttributes } from './usage-attributes.ts'

/** A measurement within a run. */
export interface Measured {
  /** Ends the measurement. Has no effect after the first call. */
  end(): void
}

/** Span and counters of one run. */
export class RunTelemetry {
  readonly #telemetry: Telemetry
  readonly #run: RunFacts
  readonly #span: Span
  readonly #startedAt: number
  /** Context in which the run's span is active. */
  readonly context: Context
  /** The last model call. */
  #chat: Measured | undefined
  #modelCalls = 0
  #toolCalls = 0
  #published = 0
  #dropped = 0
  #ended = false
  #isTrial = false

  constructor(telemetry: Telemetry, run: RunFacts, parent: Context) {
    this.#telemetry = telemetry
    this.#run = run
    this.#startedAt = telemetry.now()
    const { agent, sessionId, runId, scope } = run
    const attributes: Attributes = {
      [ATTRIBUTE.operation]: 'invoke_agent',
      [ATTRIBUTE.agentName]: agent,
      [ATTRIBUTE.conversation]: sessionId,
      [ATTRIBUTE.runId]: runId,
      [ATTRIBUTE.scope]: scope,
    }
    this.#span = telemetry.tracer.startSpan(`invoke_agent ${agent}`, { kind: SpanKind.INTERNAL, attributes }, parent)
    this.context = trace.setSpan(parent, this.#span)
  }

  /** Counts a model call. If its measurement has not ended when the run ends, the run ends it. */
  beginChat(chat: Measured): void {
    this.#modelCalls += 1
    this.#chat = chat
  }

  /** Counts a tool call. */
  countToolCall(): void {
    this.#toolCalls += 1
  }

  /** Records an event of the run. */
  see(event: RunEvent): void {
    this.#published += 1
    const { type } = event
    if (type === 'run.started') this.#seeStart(event)
    else if (type === 'output.accepted' && this.#isTrial) this.#seeScores(event)
    else if (type === 'middleware.failed') {
      this.#dropped += 1
      this.#span.addEvent('parley.middleware.failed', { 'parley.middleware': event.middleware })
    } else if (type === 'tool.omitted') {
      this.#span.addEvent('parley.tool.omitted', { [ATTRIBUTE.toolName]: event.name })
    } else if (type === 'agent.changed') {
      this.#span.addEvent('parley.agent.changed', { 'parley.agent.from': event.from, 'parley.agent.to': event.to })
    } else if (type === 'context.compacted') {
      this.#span.addEvent('parley.context.compacted', {
        'parley.messages.before': event.before.messages,
        'parley.messages.after': event.after.messages,
      })
    } else if (type === 'run.ended') this.#endRun(event)
    else if (type === 'run.suspended') this.#end('suspended')
    else if (type === 'run.interrupted') {
      this.#span.setAttribute(ATTRIBUTE.errorType, event.error.code)
      this.#end('interrupted')
    }
  }

  #seeStart({ metadata }: EntryOf<'run.started'>): void {
    const attributes = evalAttributes(metadata)
    if (attributes === undefined) return
    this.#isTrial = true
    this.#span.setAttributes(attributes)
  }

  #seeScores({ value }: EntryOf<'output.accepted'>): void {
    for (const attributes of scoreAttributes(value, this.#telemetry.content))
      this.#span.addEvent(EVALUATION_EVENT, attributes)
  }

  #endRun({ outcome, usage, cost }: EntryOf<'run.ended'>): void {
    const { instruments } = this.#telemetry
    this.#span.setAttributes(usageAttributes(usage))
    if (cost !== undefined) this.#span.setAttribute(ATTRIBUTE.costUsd, cost.usd)
    if (outcome.status === 'completed') this.#span.setAttribute(ATTRIBUTE.finishReasons, [outcome.finish])
    if (outcome.status === 'failed') {
      this.#span.setAttribute(ATTRIBUTE.errorType, outcome.error.code)
      // The message may quote a server. Without `content`, the span contains only the code.
      const message = this.#telemetry.content ? describeError(outcome.error) : outcome.error.code
      this.#span.setStatus({ code: SpanStatusCode.ERROR, message })
    }
    const agent = { [ATTRIBUTE.agentName]: this.#run.agent }
    const counter = outcome.status === 'completed' ? instruments.runsCompleted : instruments.runsFailed
    counter.add(1, { ...agent, [ATTRIBUTE.runStatus]: outcome.status })
    this.#end(outcome.status)
  }

  #end(status: string): void {
    if (this.#ended) return
    this.#ended = true
    // A cancelled run does not read its stream to the end. Its model span must not end after the run's span.
    this.#chat?.end()
    const { instruments, now } = this.#telemetry
    const agent = { [ATTRIBUTE.operation]: 'invoke_agent', [ATTRIBUTE.agentName]: this.#run.agent }
    instruments.agentDuration.record((now() - this.#startedAt) / 1_000, { ...agent, [ATTRIBUTE.runStatus]: status })
    instruments.agentModelCalls.record(this.#modelCalls, agent)
    instruments.agentToolCalls.record(this.#toolCalls, agent)
    instruments.eventsPublished.add(this.#published)
    instruments.eventsDropped.add(this.#dropped)
    this.#span.setAttribute(ATTRIBUTE.runStatus, status)
    this.#span.end()
  }
}

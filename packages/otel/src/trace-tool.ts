import { context, SpanKind, SpanStatusCode, trace, type Attributes, type Span } from '@opentelemetry/api'
import { toErrorInfo, type MiddlewareStages, type RunFacts, type ToolCall, type ToolOutcome } from '@parley/core'
import { ATTRIBUTE } from './attribute-names.ts'
import { resultText } from './content-attributes.ts'
import type { Telemetry } from './telemetry.ts'
import type { RunTelemetry } from './run-telemetry.ts'

/** Creates a tool stage with a span around each call. The span is active while the handler runs. */
export function traceTool(
  telemetry: Telemetry,
  run: RunFacts,
  runTelemetry: RunTelemetry,
): NonNullable<MiddlewareStages['tool']> {
  const { tracer, instruments, content, now, toolContexts } = telemetry
  return async (call, next) => {
    const { name } = call.tool
    const attributes = {
      ...callAttributes(call),
      ...(content && { [ATTRIBUTE.toolArguments]: JSON.stringify(call.input) }),
    }
    const options = { kind: SpanKind.INTERNAL, attributes }
    const span = tracer.startSpan(`execute_tool ${name}`, options, runTelemetry.context)
    const active = trace.setSpan(runTelemetry.context, span)
    const key = `${run.runId}/${call.callId}`
    const startedAt = now()
    let errorType: string | undefined
    toolContexts.set(key, active)
    runTelemetry.countToolCall()
    instruments.toolInvocations.add(1, { [ATTRIBUTE.toolName]: name })
    try {
      const outcome = await context.with(active, () => next(call))
      errorType = errorTypeOf(outcome)
      if (content) span.setAttribute(ATTRIBUTE.toolResult, resultText(outcome))
      return outcome
    } catch (error) {
      errorType = toErrorInfo(error).code
      throw error
    } finally {
      toolContexts.delete(key)
      const error = errorType === undefined ? {} : { [ATTRIBUTE.errorType]: errorType }
      instruments.toolDuration.record((now() - startedAt) / 1_000, {
        [ATTRIBUTE.operation]: 'execute_tool',
        [ATTRIBUTE.toolName]: name,
        ...error,
      })
      endSpan(span, errorType)
    }
  }
}

/** Ends a span. With an error type, its status is an error. */
export function endSpan(span: Span, errorType: string | undefined): void {
  if (errorType !== undefined) {
    span.setAttribute(ATTRIBUTE.errorType, errorType)
    span.setStatus({ code: SpanStatusCode.ERROR, message: errorType })
  }
  span.end()
}

function callAttributes({ callId, turn, tool: { name, description } }: ToolCall): Attributes {
  return {
    [ATTRIBUTE.operation]: 'execute_tool',
    [ATTRIBUTE.toolName]: name,
    [ATTRIBUTE.toolCallId]: callId,
    [ATTRIBUTE.toolType]: 'function',
    [ATTRIBUTE.toolDescription]: description,
    [ATTRIBUTE.turn]: turn,
  }
}

/** Returns the error type of a failed call. A call that is suspended for approval has not failed. */
function errorTypeOf(outcome: ToolOutcome): string | undefined {
  return outcome.type === 'error' ? (outcome.error?.code ?? 'tool-failed') : undefined
}

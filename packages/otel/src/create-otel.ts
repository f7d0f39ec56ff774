import { context, metrics, trace, type Context, type Meter, type Tracer } from '@opentelemetry/api'
import { checkOptions, defineMiddleware, type Middleware, type RunFacts, type OptionKinds } from '@parley/core'
import { createInstruments } from './instruments.ts'
import { RunTelemetry } from './run-telemetry.ts'
import type { Telemetry } from './telemetry.ts'
import { traceModel } from './trace-model.ts'
import { traceTool } from './trace-tool.ts'

/** Options of `createOtel`. */
export interface OtelOptions {
  /** Creates the spans. @default the tracer of the global provider with this package's name */
  readonly tracer?: Tracer | undefined
  /** Creates the instruments. @default the meter of the global provider with this package's name */
  readonly meter?: Meter | undefined
  /** Whether spans contain instructions, messages, arguments and results. These may be confidential. @default false */
  readonly content?: boolean | undefined
  /** Returns monotonic milliseconds, for durations. @default performance.now */
  readonly now?: (() => number) | undefined
}

const NAME = '@parley/otel'

const OPTIONS: OptionKinds<OtelOptions> = {
  tracer: 'object',
  meter: 'object',
  content: 'boolean',
  now: 'function',
}

/**
 * Creates a middleware that records runs as OpenTelemetry spans and metrics. A run has a span `invoke_agent`, a model
 * call `chat`, and a tool call `execute_tool`. Each span is active during its call, so it is the parent of HTTP spans
 * and the source of `traceContext`. The span of a child run belongs to its tool call if the child's agent has this
 * middleware too. List this middleware first, so that it measures the others. Without an OpenTelemetry SDK it records
 * nothing.
 */
export function createOtel(options: OtelOptions = {}): Middleware {
  checkOptions('createOtel', options, OPTIONS)
  const { tracer, meter, content = false, now = () => performance.now() } = options
  const telemetry: Telemetry = {
    tracer: tracer ?? trace.getTracer(NAME),
    instruments: createInstruments(meter ?? metrics.getMeter(NAME)),
    content,
    now,
    toolContexts: new Map(),
  }
  return defineMiddleware('otel', run => {
    const runTelemetry = new RunTelemetry(telemetry, run, parentOf(telemetry, run))
    return {
      model: traceModel(telemetry, run, runTelemetry),
      tool: traceTool(telemetry, run, runTelemetry),
      event: event => runTelemetry.see(event),
    }
  })
}

/** Returns the context of the parent run's tool call, or the active context for a root run. */
function parentOf({ toolContexts }: Telemetry, { path }: RunFacts): Context {
  return toolContexts.get(path.slice(-2).join('/')) ?? context.active()
}

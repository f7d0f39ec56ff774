import { context, metrics, trace, type Context, type Meter, type Tracer } from '@opentelemetry/api'
import { defineMiddleware, type Middleware, type RunFacts } from '@parley/core'
import { createInstruments } from './instruments.ts'
import { RunTelemetry } from './run-telemetry.ts'
import { traceModel } from './trace-model.ts'
import { traceTool } from './trace-tool.ts'

export interface OtelOptions {
  /** @default the global provider's tracer of this package */
  readonly tracer?: Tracer | undefined
  /** @default the global provider's meter of this package */
  readonly meter?: Meter | undefined
  /** Whether spans carry instructions, messages, arguments and results. They may hold what a trace must not. @default false */
  readonly content?: boolean | undefined
  /** Milliseconds that only ever go up. @default performance.now */
  readonly now?: (() => number) | undefined
}

const NAME = '@parley/otel'

/** What the parts of one middleware share. */
export interface Telemetry {
  readonly tracer: Tracer
  readonly instruments: ReturnType<typeof createInstruments>
  readonly content: boolean
  readonly now: () => number
  /** Contexts of tool calls under way, by run and call: what a sub-agent's run belongs to. */
  readonly toolContexts: Map<string, Context>
}

/**
 * Runs as spans and metrics: `invoke_agent` around a run, `chat` around each model call, `execute_tool` around each tool
 * call. The span is the active one while a model is asked and a tool works, so that what they do over HTTP belongs to it, and
 * what `traceContext` tells. The run of a sub-agent belongs to the call it works for, if its agent has this middleware, too. List it first, so
 * that it measures what the others do. Without an OpenTelemetry SDK it does nothing.
 */
export function createOtel({
  tracer,
  meter,
  content = false,
  now = () => performance.now(),
}: OtelOptions = {}): Middleware {
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

/** The call the run works for, or whatever its caller is doing. */
function parentOf({ toolContexts }: Telemetry, { path }: RunFacts): Context {
  return toolContexts.get(path.slice(-2).join('/')) ?? context.active()
}

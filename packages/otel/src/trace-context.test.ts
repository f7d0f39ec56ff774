import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createOtel } from './create-otel.ts'
import { traceContext, type TraceContext } from './trace-context.ts'

/** What a tool is told of its place in the trace, and the ids of its span. */
async function seenInTool() {
  const exporter = new InMemorySpanExporter()
  const tracer = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }).getTracer('test')
  const seen: (TraceContext | undefined)[] = []
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    input: z.object({}),
    execute: async () => {
      await Promise.resolve()
      seen.push(traceContext())
      return 'x'
    },
  })
  const model = scriptedModel([{ toolCalls: [{ name: 'look' }] }, 'x'])
  const agent = defineAgent({ name: 'a', model, tools: [look], middleware: [createOtel({ tracer })] })
  await createRuntime().run(agent, 'go').result
  const span = exporter.getFinishedSpans().find(({ name }) => name === 'execute_tool look')
  return { seen: seen[0], span: span?.spanContext() }
}

beforeEach(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
})
afterEach(() => {
  context.disable()
  propagation.disable()
})

describe('traceContext', () => {
  it('traceContext returns the span of the tool call within a tool', async () => {
    const { seen, span } = await seenInTool()
    expect(seen).toEqual({ traceparent: `00-${span?.traceId}-${span?.spanId}-01` })
  })

  it('traceContext returns the headers of the registered propagator', async () => {
    propagation.setGlobalPropagator({
      inject(active, carrier, setter) {
        setter.set(carrier, 'tracestate', 'vendor=1')
        setter.set(carrier, 'baggage', `user=${trace.getSpanContext(active) === undefined ? '' : 'ann'}`)
      },
      extract: active => active,
      fields: () => ['tracestate', 'baggage'],
    })
    const { seen, span } = await seenInTool()
    const traceparent = `00-${span?.traceId}-${span?.spanId}-01`
    expect(seen).toEqual({ traceparent, tracestate: 'vendor=1', baggage: 'user=ann' })
  })

  it('traceContext returns undefined without an active span', () => {
    expect(traceContext()).toBeUndefined()
  })
})

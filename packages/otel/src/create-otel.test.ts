import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace'
import { defineMiddleware, defineTool, toolAnswer, toolError, type Json, type Middleware } from '@parley/core'
import { agentTool, createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel, type Script } from '@parley/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createOtel, type OtelOptions } from './create-otel.ts'

const ok = defineTool({ name: 'ok', description: 'Works.', input: z.object({ q: z.string() }), execute: ({ q }) => q })
const callOk = { toolCalls: [{ name: 'ok', input: { q: 'my secret' } }] }

async function telemetry(options: OtelOptions = {}) {
  const spanExporter = new InMemorySpanExporter()
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 3_600_000 })
  const tracer = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter: spanExporter })],
  }).getTracer('test')
  const meter = new MeterProvider({ readers: [reader] }).getMeter('test')
  let now = 0
  const otel = createOtel({ tracer, meter, now: () => (now += 10), ...options })
  return {
    otel,
    spans: () => spanExporter.getFinishedSpans(),
    async metrics() {
      await reader.forceFlush()
      const all =
        metricExporter
          .getMetrics()
          .at(-1)
          ?.scopeMetrics.flatMap(scope => scope.metrics) ?? []
      return new Map(all.map(metric => [metric.descriptor.name, metric.dataPoints]))
    },
    [Symbol.asyncDispose]: () => reader.shutdown(),
  }
}

function run(script: Script, middleware: readonly Middleware[], tools = [ok]) {
  const model = scriptedModel(script, { provider: 'google', id: 'm1' })
  return createRuntime().run(defineAgent({ name: 'helper', model, tools, middleware }), 'my secret question')
}

const parentIdOf = (span: ReadableSpan | undefined) => span?.parentSpanContext?.spanId
const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId

beforeEach(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
})
afterEach(() => {
  context.disable()
})

describe('spans', () => {
  it("spans of model calls and tool calls are children of the run's span and have the conventional names and attributes", async () => {
    await using given = await telemetry()
    const { runId, sessionId } = await run([callOk, 'Done.'], [given.otel]).result
    const spans = given.spans()
    expect(spans.map(span => span.name)).toEqual(['chat m1', 'execute_tool ok', 'chat m1', 'invoke_agent helper'])
    const [chat, tool, , agent] = spans
    expect([chat, tool].map(parentIdOf)).toEqual([idOf(agent), idOf(agent)])
    expect(agent?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'helper',
      'gen_ai.conversation.id': sessionId,
      'parley.run.id': runId,
      'parley.run.status': 'completed',
      'gen_ai.usage.input_tokens': 20,
      'gen_ai.usage.output_tokens': 10,
    })
    expect(chat?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'gcp.gemini',
      'gen_ai.request.model': 'm1',
      'gen_ai.response.finish_reasons': ['tool-calls'],
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.response.time_to_first_chunk': 0.01,
    })
    expect(tool?.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'ok',
      'gen_ai.tool.call.id': 'call_1',
    })
  })

  it('spans contain no messages, arguments or results by default', async () => {
    for (const content of [false, true]) {
      await using given = await telemetry({ content })
      await run([callOk, 'A secret answer.'], [given.otel]).result
      const attributes = JSON.stringify(given.spans().map(span => [span.attributes, span.events]))
      expect(attributes.includes('secret')).toBe(content)
    }
  })

  it('spans contain messages in the format of the conventions with the content option', async () => {
    await using given = await telemetry({ content: true })
    await run([{ reasoning: 'Hm.', ...callOk }, 'Done.'], [given.otel]).result
    const [first, tool, second] = given.spans()
    const parsed = (span: ReadableSpan | undefined, name: string): unknown => JSON.parse(String(span?.attributes[name]))
    expect(parsed(first, 'gen_ai.output.messages')).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', content: 'Hm.' },
          { type: 'tool_call', id: 'call_1', name: 'ok', arguments: '{"q":"my secret"}' },
        ],
        finish_reason: 'tool-calls',
      },
    ])
    expect(parsed(second, 'gen_ai.input.messages')).toMatchObject([
      { role: 'user', parts: [{ type: 'text', content: 'my secret question' }] },
      { role: 'assistant' },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_1', response: 'my secret' }] },
    ])
    expect(tool?.attributes['gen_ai.tool.call.result']).toBe('my secret')
  })

  it('the span of a call is active while the model answers and while the tool runs', async () => {
    await using given = await telemetry()
    const seen: (string | undefined)[] = []
    const note = () => seen.push(trace.getActiveSpan()?.spanContext().spanId)
    const spy = defineMiddleware('spy', () => ({
      async *model(call, next) {
        note()
        yield* next(call)
      },
    }))
    const noting = defineTool({
      ...ok,
      execute: async () => {
        await Promise.resolve()
        note()
        return 'x'
      },
    })
    await run([callOk, 'Done.'], [given.otel, spy], [noting]).result
    expect(seen).toEqual(given.spans().slice(0, 3).map(idOf))
  })

  it('the span of a root run has the active span as its parent', async () => {
    await using given = await telemetry()
    const outer = trace.wrapSpanContext({ traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 })
    await context.with(trace.setSpan(context.active(), outer), () => run(['x'], [given.otel]).result)
    expect(parentIdOf(given.spans().at(-1))).toBe('2'.repeat(16))
  })

  it("the span of a child run has its tool call's span as parent, with and without a context manager", async () => {
    for (const managed of [true, false]) {
      if (!managed) context.disable()
      await using given = await telemetry()
      const middleware = [given.otel]
      const inner = defineAgent({
        name: 'inner',
        description: 'Helps.',
        model: scriptedModel(['In.'], { id: 'm2' }),
        middleware,
      })
      const ask = agentTool(inner)
      const script = [{ toolCalls: [{ name: ask.name, input: { task: 'go' } }] }, 'Out.']
      await run(script, middleware, [ask as never]).result
      const byName = new Map(given.spans().map(span => [span.name, span]))
      expect(parentIdOf(byName.get('invoke_agent inner'))).toBe(idOf(byName.get(`execute_tool ${ask.name}`)))
      expect(parentIdOf(byName.get('chat m2'))).toBe(idOf(byName.get('invoke_agent inner')))
    }
  })

  it('the span of a failed model call, tool call or run has its error type', async () => {
    await using given = await telemetry()
    const error = { code: 'model-auth', provider: 'p', detail: 'secret detail' } as const
    const bad = { ...ok, execute: () => toolError('no') }
    await run([callOk, { events: [], error }], [given.otel], [bad]).result
    const failed = given.spans().filter(span => span.status.code === SpanStatusCode.ERROR)
    expect(failed.map(span => [span.name, span.attributes['error.type']])).toEqual([
      ['execute_tool ok', 'tool-failed'],
      ['chat m1', 'model-auth'],
      ['invoke_agent helper', 'model-auth'],
    ])
    expect(JSON.stringify(failed.map(span => span.status))).not.toContain('secret')
  })

  it('all spans end when a run is cancelled within an answer', async () => {
    await using given = await telemetry()
    const running = run([{ text: 'a', hang: true }], [given.otel])
    for await (const event of running) if (event.type === 'text.delta') break
    await running.cancel()
    await running.result
    expect(given.spans().map(span => [span.name, span.attributes['error.type']])).toEqual([
      ['chat m1', 'cancelled'],
      ['invoke_agent helper', undefined],
    ])
  })

  it('the span of a model call has an event for each retry with both models of a fallback', async () => {
    await using given = await telemetry()
    const error = { code: 'model-overloaded', provider: 'p', detail: '' } as const
    const events = [
      { type: 'retry', attempt: 1, delayMs: 5, error },
      { type: 'retry', attempt: 1, delayMs: 0, error, fallback: { from: 'p/large', to: 'q/small' } },
      { type: 'finish', reason: 'stop' },
    ] as const
    await run([{ events }], [given.otel]).result
    const facts = { 'parley.attempt': 1, 'error.type': 'model-overloaded' }
    const fallback = { 'parley.fallback.from': 'p/large', 'parley.fallback.to': 'q/small' }
    expect(given.spans()[0]?.events.map(({ name, attributes }) => [name, attributes])).toEqual([
      ['parley.model.retrying', { ...facts, 'parley.delay_ms': 5 }],
      ['parley.model.retrying', { ...facts, 'parley.delay_ms': 0, ...fallback }],
    ])
  })
})

describe('metrics', () => {
  it('a run records a value on every instrument', async () => {
    await using given = await telemetry()
    const broken = defineMiddleware('broken', () => ({
      event: event => {
        if (event.type === 'tool.started') throw new Error('no')
      },
    }))
    await run([callOk, 'Done.'], [given.otel, broken]).result
    await run([{ events: [], error: { code: 'model-auth', provider: 'p', detail: '' } }], [given.otel]).result
    const metrics = await given.metrics()
    const sum = (name: string) => metrics.get(name)?.reduce((total, point) => total + Number(point.value), 0)
    expect([
      sum('parley.model.requests'),
      sum('parley.tool.invocations'),
      sum('parley.runs.completed'),
      sum('parley.runs.failed'),
      sum('parley.events.dropped'),
    ]).toEqual([3, 1, 1, 1, 1])
    expect(sum('parley.events.published')).toBeGreaterThan(10)
    const count = (name: string) =>
      metrics.get(name)?.reduce((total, point) => total + (point.value as { count: number }).count, 0)
    expect({
      duration: count('gen_ai.client.operation.duration'),
      tokens: count('gen_ai.client.token.usage'),
      first: count('gen_ai.client.operation.time_to_first_chunk'),
      tool: count('gen_ai.execute_tool.duration'),
      agent: count('gen_ai.invoke_agent.duration'),
      calls: count('gen_ai.invoke_agent.inference_calls'),
      toolCalls: count('gen_ai.invoke_agent.tool_calls'),
    }).toEqual({ duration: 3, tokens: 4, first: 2, tool: 1, agent: 2, calls: 2, toolCalls: 2 })
  })

  it('metrics count cached tokens as input', async () => {
    await using given = await telemetry()
    await run([{ text: 'x', usage: { input: 1, cacheRead: 2, cacheWrite: 3, output: 4 } }], [given.otel]).result
    const points = (await given.metrics()).get('gen_ai.client.token.usage') ?? []
    expect(
      points.map(({ attributes, value }) => [attributes['gen_ai.token.type'], (value as { sum: number }).sum]),
    ).toEqual([
      ['input', 6],
      ['output', 4],
    ])
  })
})

it('the otel middleware records nothing without an SDK', async () => {
  expect(await run([callOk, 'Done.'], [createOtel()]).result).toMatchObject({ status: 'completed', text: 'Done.' })
})

describe('a trial of an eval', () => {
  const finish = defineTool({
    name: 'finish',
    description: 'Ends the run.',
    input: { type: 'object' },
    execute: () =>
      toolAnswer({
        result: {
          scores: [
            { name: 'exact', score: 0.5, reason: 'my secret reason' },
            { name: 'judge', error: 'my secret fault' },
          ],
        },
      }),
  })
  const trial = async (options: OtelOptions, metadata: Readonly<Record<string, Json>>) => {
    await using t = await telemetry(options)
    const model = scriptedModel([{ toolCalls: [{ name: 'finish' }] }])
    await createRuntime().invoke(defineAgent({ name: 'trial', model, tools: [finish], middleware: [t.otel] }), 'go', {
      metadata,
    })
    return t.spans().find(({ name }) => name === 'invoke_agent trial')
  }
  const facts = { 'parley.eval': { name: 'weather', case: 'bern', trial: 2, runId: 'r' } }

  it('a trial of an eval has the name, the case and the scores, and its reasons only with content', async () => {
    const span = await trial({}, facts)
    expect(span?.attributes).toMatchObject({
      'parley.eval.name': 'weather',
      'parley.eval.case': 'bern',
      'parley.eval.trial': 2,
    })
    expect(span?.events.map(({ name, attributes }) => [name, attributes])).toEqual([
      ['gen_ai.evaluation.result', { 'gen_ai.evaluation.name': 'exact', 'gen_ai.evaluation.score.value': 0.5 }],
      ['gen_ai.evaluation.result', { 'gen_ai.evaluation.name': 'judge', 'error.type': 'score' }],
    ])
    const whole = await trial({ content: true }, facts)
    expect(whole?.events.map(({ attributes }) => attributes?.['gen_ai.evaluation.explanation'])).toEqual([
      'my secret reason',
      'my secret fault',
    ])
  })

  it('a trial of an eval is not seen in the metadata and the output of other runs', async () => {
    const span = await trial({ content: true }, { 'parley.eval': 'mine', eval: facts['parley.eval'] })
    expect(Object.keys(span?.attributes ?? {}).filter(key => key.includes('eval'))).toEqual([])
    expect(span?.events).toEqual([])
  })
})

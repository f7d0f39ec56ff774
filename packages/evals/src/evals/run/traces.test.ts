import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { createOtel } from '@parley/otel'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { agentTask, contains, defineEval, runEval } from '../../index.ts'

it('the spans of an eval have the case and the scores, and the agent below them', async () => {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  const otel = createOtel({ tracer: provider.getTracer('test') })
  await using runtime = createRuntime({ store: createMemoryStore(), defaults: { middleware: [otel] } })
  const agent = defineAgent({ name: 'forecaster', model: scriptedModel(['It rains.']) })
  const data = [{ id: 'bern', input: 'Rain?', expected: 'rain' }]
  await runEval(defineEval({ name: 'traced', data, task: agentTask(agent), scorers: [contains()] }), { runtime })
  const spans = exporter.getFinishedSpans()
  const trial = spans.find(({ name }) => name === 'invoke_agent eval-traced-trial')
  expect(trial?.attributes).toMatchObject({
    'parley.eval.name': 'traced',
    'parley.eval.case': 'bern',
    'parley.eval.trial': 1,
  })
  expect(trial?.events.map(({ name, attributes }) => [name, attributes])).toEqual([
    ['gen_ai.evaluation.result', { 'gen_ai.evaluation.name': 'contains', 'gen_ai.evaluation.score.value': 1 }],
  ])
  const task = spans.find(({ name }) => name === 'execute_tool run_task')
  const child = spans.find(({ name }) => name === 'invoke_agent forecaster')
  expect(child?.parentSpanContext?.spanId).toBe(task?.spanContext().spanId)
})

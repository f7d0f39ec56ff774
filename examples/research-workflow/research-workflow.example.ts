// A research workflow: one agent for each question, a report, a budget for all of them, and a span for each step.
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { createRuntime, defineAgent } from '@parley/engine'
import { createOtel } from '@parley/otel'
import { scriptedModel } from '@parley/testing'
import { defineWorkflow } from '@parley/workflow'

const exporter = new InMemorySpanExporter()
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
const otel = createOtel({ tracer: provider.getTracer('research') })

const usage = { input: 400, output: 100 }
const researcher = defineAgent({ name: 'researcher', model: scriptedModel(() => ({ text: 'Found it.', usage })) })
const writer = defineAgent({ name: 'writer', model: scriptedModel(() => ({ text: 'A short report.', usage })) })

const research = (maxTokens: number) =>
  defineWorkflow(
    {
      name: 'research',
      inputs: { questions: {} },
      limits: { maxTokens },
      steps: [
        {
          type: 'map',
          name: 'findings',
          over: 'questions',
          as: 'question',
          steps: [{ type: 'agent', agent: 'researcher', prompt: '{{question}}' }],
        },
        { type: 'agent', agent: 'writer', prompt: 'Write a report: {{steps.findings.output}}' },
      ],
    },
    { agents: [researcher, writer] },
  )

const variables = { questions: ['Who?', 'When?', 'Why?'] }
await using runtime = createRuntime({ agents: [research(10_000)], defaults: { middleware: [otel] } })
const { text, usage: spent } = await runtime.invoke('research', 'go', { variables })
console.log(text, spent.input + spent.output) // → A short report. 2000

const names = exporter.getFinishedSpans().map(({ name }) => name)
console.log(names.filter(name => name === 'invoke_agent researcher').length) // → 3
console.log(names.includes('invoke_agent writer'), names.includes('invoke_agent research')) // → true true

// The same workflow with a budget for two questions stops before the report.
await using poor = createRuntime({ agents: [research(1_000)] })
const stopped = await poor.run('research', 'go', { variables }).result
console.log(stopped.status) // → limit

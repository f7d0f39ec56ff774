// #region observe
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { createRuntime, defineAgent } from '@parley/engine'
import { createOtel } from '@parley/otel'
import { scriptedModel } from '@parley/testing'

const exporter = new InMemorySpanExporter() // or: new OTLPTraceExporter() from '@opentelemetry/exporter-trace-otlp-http'
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })

const otel = createOtel({ tracer: provider.getTracer('my-app') }) // or createOtel(), for what is registered globally
const agent = defineAgent({ name: 'helper', model: scriptedModel(['Hello.']), middleware: [otel] })
await createRuntime().run(agent, 'Hi').result

for (const { name, attributes } of exporter.getFinishedSpans()) {
  console.log(name, attributes['gen_ai.usage.output_tokens'])
}
// → chat script 5
// → invoke_agent helper 5
// #endregion

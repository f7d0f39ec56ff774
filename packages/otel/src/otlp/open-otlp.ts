import { checkOptions, type Middleware, type OptionKinds } from '@parley/core'
import { context } from '@opentelemetry/api'
import type { SpanProcessor } from '@opentelemetry/sdk-trace'
import { createOtel } from '../create-otel.ts'

/** Options of `openOtlp`. */
export interface OtlpOptions {
  /** Address that gets the traces. @default what OTEL_EXPORTER_OTLP_ENDPOINT and the other OTEL_* variables say */
  readonly endpoint?: string | undefined
  /** Headers of each export. @default those of OTEL_EXPORTER_OTLP_HEADERS */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Name of this service. @default OTEL_SERVICE_NAME, or 'parley' */
  readonly serviceName?: string | undefined
  /** Whether spans contain instructions, messages, arguments and results. These may be confidential. @default false */
  readonly content?: boolean | undefined
  /** Source of OTEL_SDK_DISABLED, which turns the export off. @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
}

/** A middleware whose spans are exported. Pass it in a runtime's `resources`, which sends the last spans when it closes. */
export interface Otlp extends AsyncDisposable {
  readonly name: string
  readonly middleware: Middleware
}

const OPTIONS: OptionKinds<OtlpOptions> = {
  endpoint: 'string',
  headers: 'object',
  serviceName: 'string',
  content: 'boolean',
  environment: 'object',
}

/**
 * Opens an OpenTelemetry SDK that sends the spans of runs to a collector, as OTLP over HTTP with JSON. Requires the packages
 * `@opentelemetry/sdk-trace`, `@opentelemetry/resources`, `@opentelemetry/context-async-hooks` and
 * `@opentelemetry/exporter-trace-otlp-http`.
 */
export async function openOtlp(options: OtlpOptions = {}): Promise<Otlp> {
  checkOptions('openOtlp', options, OPTIONS)
  const { endpoint, headers, serviceName, content, environment = process.env } = options
  const [sdk, resources, hooks, exporters] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const { resourceFromAttributes, detectResources, resourceAttributesEnvDetector, serviceNameEnvDetector } = resources
  const detected = detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })
  const named = serviceName === undefined ? {} : { 'service.name': serviceName }
  const target = { ...(endpoint === undefined ? {} : { url: endpoint }), ...(headers === undefined ? {} : { headers }) }
  const isDisabled = environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true'
  const spanProcessors: SpanProcessor[] = isDisabled
    ? []
    : [new sdk.BatchSpanProcessor({ exporter: new exporters.OTLPTraceExporter(target) })]
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'parley' }).merge(detected).merge(resourceFromAttributes(named)),
    spanProcessors,
  })
  // Without a context manager, the spans of HTTP clients would have no parent. One that is registered already stays.
  context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable())
  return {
    name: 'OpenTelemetry',
    middleware: createOtel({ tracer: provider.getTracer('@parley/otel'), content }),
    [Symbol.asyncDispose]: () => provider.shutdown(),
  }
}

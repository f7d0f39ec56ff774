import type { Otlp } from '@parley/otel/otlp'

/** Whether the standard variables of OpenTelemetry name a receiver of traces. */
function namesTraces(environment: NodeJS.ProcessEnv): boolean {
  if (environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return false
  const exporters = environment['OTEL_TRACES_EXPORTER'] ?? ''
  if (exporters !== '') return exporters.split(',').some(name => name.trim() === 'otlp')
  return ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'].some(name => environment[name])
}

/** Opens the traces that the OTEL_* variables ask for. The packages of OpenTelemetry are imported only then. */
export async function openTracing(environment: NodeJS.ProcessEnv = process.env): Promise<Otlp | undefined> {
  if (!namesTraces(environment)) return undefined
  const { openOtlp } = await import('@parley/otel/otlp')
  return openOtlp()
}

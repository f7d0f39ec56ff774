import type { Counter, Histogram, Meter } from '@opentelemetry/api'

/** The instruments for metrics. */
export interface Instruments {
  readonly operationDuration: Histogram
  readonly tokenUsage: Histogram
  readonly timeToFirstChunk: Histogram
  readonly toolDuration: Histogram
  readonly agentDuration: Histogram
  readonly agentModelCalls: Histogram
  readonly agentToolCalls: Histogram
  readonly modelRequests: Counter
  readonly runsCompleted: Counter
  readonly runsFailed: Counter
  readonly toolInvocations: Counter
  readonly eventsPublished: Counter
  readonly eventsDropped: Counter
}

/** Bucket boundaries in seconds, as the conventions recommend. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864]
const CALLS = [1, 2, 4, 8, 16, 32, 64, 128]

/** Creates the instruments for metrics. */
export function createInstruments(meter: Meter): Instruments {
  const histogram = (name: string, description: string, [unit, boundaries]: readonly [string, number[]]): Histogram =>
    meter.createHistogram(name, { description, unit, advice: { explicitBucketBoundaries: boundaries } })
  const counter = (name: string, description: string, unit: string): Counter =>
    meter.createCounter(name, { description, unit })
  const seconds = ['s', SECONDS] as const
  return {
    operationDuration: histogram('gen_ai.client.operation.duration', 'Duration of model calls.', seconds),
    tokenUsage: histogram('gen_ai.client.token.usage', 'Tokens of model calls.', ['{token}', TOKENS]),
    timeToFirstChunk: histogram(
      'gen_ai.client.operation.time_to_first_chunk',
      'Time from the request to the first chunk of the answer.',
      seconds,
    ),
    toolDuration: histogram('gen_ai.execute_tool.duration', 'Duration of tool calls.', seconds),
    agentDuration: histogram('gen_ai.invoke_agent.duration', 'Duration of runs.', seconds),
    agentModelCalls: histogram('gen_ai.invoke_agent.inference_calls', 'Model calls of a run.', ['{call}', CALLS]),
    agentToolCalls: histogram('gen_ai.invoke_agent.tool_calls', 'Tool calls of a run.', ['{call}', CALLS]),
    modelRequests: counter('parley.model.requests', 'Started model calls.', '{call}'),
    runsCompleted: counter('parley.runs.completed', 'Completed runs.', '{run}'),
    runsFailed: counter('parley.runs.failed', 'Runs that ended without completing.', '{run}'),
    toolInvocations: counter('parley.tool.invocations', 'Started tool calls.', '{call}'),
    eventsPublished: counter('parley.events.published', 'Events of runs.', '{event}'),
    eventsDropped: counter('parley.events.dropped', 'Events on which a middleware failed.', '{event}'),
  }
}

import { BUS_EVENT_TYPES } from '@parley/core'
import * as z from 'zod'
import { retrySchema } from './retry-schema.ts'
import { anyJson, count, lasting, words } from './scalars.ts'

const subscriberSchema = z
  .looseObject({
    type: words.optional().describe('Name of a registered subscriber type. Default: the name of this subscriber.'),
    events: z
      .array(z.enum(BUS_EVENT_TYPES))
      .min(1)
      .optional()
      .describe('Types of the events. Default: all except pieces of streams.'),
    agent: words.optional().describe('Only events of runs that began with this agent.'),
    scope: words.optional().describe('Only events of runs in this scope.'),
    capacity: count.optional().describe('Largest number of waiting events. Default: the capacity of the bus.'),
    overflow: z
      .enum(['dead-letter', 'drop-oldest'])
      .optional()
      .describe('What a full buffer does. Default: dead-letter.'),
  })
  .catchall(anyJson)

/** Services that all runs share. */
export const serviceSections = {
  workspace: z
    .strictObject({
      roots: z.array(words).min(1).describe('Directories, from the folder of this file.'),
      denied: z.array(words).optional().describe('Names that are refused inside. Default: names of secrets and keys.'),
      runRoots: z.array(words).optional().describe('Additional directories that a run may have as its own workspace.'),
    })
    .optional()
    .describe('Directories that file tools and commands may use.'),
  bus: z
    .strictObject({
      subscribers: z.record(words, subscriberSchema).optional().describe('Receivers of events, by name.'),
      capacity: count.optional().describe('Largest number of waiting events of a subscriber. Default: 10000.'),
      retry: retrySchema
        .omit({ maxWaitMs: true })
        .optional()
        .describe('When a delivery is repeated. Default: 4 retries.'),
      timeoutMs: lasting.optional().describe('Longest time of one delivery. Default: 30000.'),
      maxDeadLetters: count.optional().describe('Largest number of kept events. Default: 10000.'),
      retentionMs: lasting.optional().describe('How long undelivered events are kept.'),
    })
    .optional()
    .describe('Event bus, which gets the events of all runs and MCP servers.'),
  otel: z
    .strictObject({
      endpoint: words.optional().describe('Address of the traces of an OTLP collector. Default: the OTEL_* variables.'),
      headers: z.record(words, z.string()).optional().describe('Headers of each export.'),
      serviceName: words.optional().describe('Name of this service. Default: OTEL_SERVICE_NAME, or parley.'),
      content: z
        .boolean()
        .optional()
        .describe('Whether traces contain messages, arguments and results. Default: false.'),
    })
    .optional()
    .describe('Traces of all runs, sent to an OpenTelemetry collector. Default: none.'),
}

export type WorkspaceData = NonNullable<z.output<typeof serviceSections.workspace>>
export type BusData = NonNullable<z.output<typeof serviceSections.bus>>
export type OtelData = NonNullable<z.output<typeof serviceSections.otel>>

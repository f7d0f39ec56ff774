import type { JsonSchemaObject } from '@parley/core'
import * as z from 'zod'
import { agentSchema, profileSchema } from './agent-schema.ts'
import { defaultsFields } from './agent-defaults-schema.ts'
import { contextSchema } from './context-schema.ts'
import { mcpSections } from './mcp-schema.ts'
import { partSections } from './part-schema.ts'
import { modelSchema, providerSchema } from './provider-schema.ts'
import { runtimeSchema } from './runtime-schema.ts'
import { words } from './scalars.ts'
import { serviceSections } from './service-schema.ts'

/**
 * The schema of the parsed file. It rejects unknown keys everywhere except in JSON Schemas, `options`,
 * `providerOptions` and the options of parts, which their types check.
 */
export const configSchema = z
  .strictObject({
    $schema: z.string().optional().describe('Address of the JSON Schema, for editors. Parley ignores it.'),
    providers: z.record(words, providerSchema).optional().describe('Connections to model services, by name.'),
    models: z.record(words, modelSchema).optional().describe('Models by name.'),
    contexts: z.record(words, contextSchema).optional().describe('Context policies by name.'),
    profiles: z.record(words, profileSchema).optional().describe('Fields that several agents share, by name.'),
    ...partSections,
    ...mcpSections,
    ...serviceSections,
    defaults: z.strictObject(defaultsFields).optional().describe('Fields for agents that do not set them.'),
    agents: z.record(words, agentSchema).describe('Agents by name.'),
    runtime: runtimeSchema.optional(),
  })
  .describe('Agents, models and a runtime of Parley.')

/** The content of a configuration file. */
export type ConfigData = z.output<typeof configSchema>

let made: JsonSchemaObject | undefined

/** Returns the JSON Schema (draft 2020-12) of the file, for editors. `@parley/config/schema.json` has the same content. */
export function configJsonSchema(): JsonSchemaObject {
  made ??= z.toJSONSchema(configSchema, { io: 'input' }) as JsonSchemaObject
  return made
}

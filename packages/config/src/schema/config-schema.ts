import type { JsonSchemaObject } from '@parley/core'
import * as z from 'zod'
import { agentSchema, profileSchema } from './agent-schema.ts'
import { behaviourFields } from './behaviour-schema.ts'
import { contextSchema } from './context-schema.ts'
import { modelSchema, providerSchema } from './provider-schema.ts'
import { runtimeSchema } from './runtime-schema.ts'
import { words } from './scalars.ts'

/** The file, as its parser gives it. Unknown keys are refused everywhere but in JSON Schemas, `options` and `providerOptions`. */
export const configSchema = z
  .strictObject({
    $schema: z.string().optional().describe('For editors; ignored.'),
    providers: z.record(words, providerSchema).optional().describe('Connections by name.'),
    models: z.record(words, modelSchema).optional().describe('Models by name.'),
    contexts: z.record(words, contextSchema).optional().describe('Context policies by name.'),
    profiles: z.record(words, profileSchema).optional().describe('What several agents have in common, by name.'),
    defaults: z.strictObject(behaviourFields).optional().describe('What agents do where they say nothing.'),
    agents: z.record(words, agentSchema).describe('Agents by name.'),
    runtime: runtimeSchema.optional(),
  })
  .describe('Agents, models and a runtime of Parley.')

/** What a configuration file says. */
export type ConfigData = z.output<typeof configSchema>

let made: JsonSchemaObject | undefined

/** The JSON Schema (draft 2020-12) of the file, for editors; `@parley/config/schema.json` is the same as a file. */
export function configJsonSchema(): JsonSchemaObject {
  made ??= z.toJSONSchema(configSchema, { io: 'input' }) as JsonSchemaObject
  return made
}

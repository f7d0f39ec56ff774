import * as z from 'zod'
import type { JsonSchemaObject } from '@parley/core'
import { configSchema } from './schema/config-schema.ts'

let made: JsonSchemaObject | undefined

/** The JSON Schema (draft 2020-12) of the file, for editors; `@parley/config/schema.json` is the same as a file. */
export function configJsonSchema(): JsonSchemaObject {
  made ??= z.toJSONSchema(configSchema, { io: 'input' }) as JsonSchemaObject
  return made
}

import * as z from 'zod'
import { jsonSchema } from './json.ts'
import { viewPartSchema } from './view-part.ts'

/** The fields of a request that a journal keeps. */
export const keptRequestFields = {
  /** Number of the model call. */
  turn: z.int().min(1),
  model: z.string(),
  system: z.array(z.object({ text: z.string(), volatile: z.boolean().optional() })),
  view: z.array(viewPartSchema),
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      inputSchema: z.record(z.string(), jsonSchema),
      strict: z.boolean().optional(),
    }),
  ),
  toolChoice: z.union([z.enum(['auto', 'none', 'required']), z.object({ name: z.string() })]).optional(),
  settings: z.record(z.string(), jsonSchema),
}

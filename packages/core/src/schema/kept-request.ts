import * as z from 'zod'
import { jsonSchema, type Json } from './json.ts'
import { viewPartSchema, type ViewPart } from './view-part.ts'

/** Schemas of the fields of `KeptRequest`. */
export const keptRequestFields = {
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

/** The fields of a request that a journal keeps. */
export interface KeptRequest {
  /** Number of the model call. */
  turn: number
  model: string
  system: { text: string; volatile?: boolean | undefined }[]
  view: ViewPart[]
  tools: {
    name: string
    description: string
    inputSchema: Record<string, Json>
    strict?: boolean | undefined
  }[]
  toolChoice?: 'auto' | 'none' | 'required' | { name: string } | undefined
  settings: Record<string, Json>
}

import * as z from 'zod'
import { anyJson, words } from './scalars.ts'

/** A part that the registry makes. Its options depend on its type, so the type checks them. */
const partSchema = z
  .looseObject({
    type: words.optional().describe('Name of a registered type. Default: the name of this entry.'),
  })
  .catchall(anyJson)

const named = z.record(words, partSchema).optional()

/** Sections whose entries are parts. */
export const partSections = {
  toolsets: named.describe(
    "Toolsets with options, by name. An agent gets the tools of a toolset by its name in 'tools'.",
  ),
  middleware: named.describe('Middleware with options, by name.'),
  inputFilters: named.describe('Input filters with options, by name.'),
}

export type PartData = z.output<typeof partSchema>

import * as z from 'zod'
import { words } from './scalars.ts'

const text = words.describe('What the model is told.')
const file = words.describe("A file with what the model is told, below this one's folder.")
const volatile = z
  .boolean()
  .optional()
  .describe('Changes between calls; comes last, and is not cached. Default: false.')
const variables = z.array(words).optional().describe('Names a run may give values for.')
const required = z.array(words).optional().describe('Those of them a run must give.')

const partSchema = z.union([
  text,
  z.strictObject({ text, volatile }),
  z.strictObject({ file, volatile }),
  z.strictObject({ template: words.describe('Text with {{name}} where a value goes.'), variables, required }),
  z.strictObject({ templateFile: words.describe('A file with such a text.'), variables, required }),
])

/** What the model is told before everything else: a text, a file, a template, or a list of them. */
export const instructionsSchema = z
  .union([partSchema, z.array(partSchema).min(1)])
  .describe('What the model is told before everything else.')

export type InstructionsData = z.output<typeof instructionsSchema>
export type InstructionPart = z.output<typeof partSchema>

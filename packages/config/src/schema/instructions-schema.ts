import * as z from 'zod'
import { words } from './scalars.ts'

const text = words.describe('Instructions for the model.')
const file = words.describe('A file with instructions, inside the folder of this file.')
const volatile = z
  .boolean()
  .optional()
  .describe('Whether the text changes between calls. It is then sent last and not cached. Default: false.')
const variables = z.array(words).optional().describe('Names of values that a run may set.')
const required = z.array(words).optional().describe('Names of values that a run must set.')

const partSchema = z.union([
  text,
  z.strictObject({ text, volatile }),
  z.strictObject({ file, volatile }),
  z.strictObject({ template: words.describe('Text in which {{name}} is replaced by a value.'), variables, required }),
  z.strictObject({ templateFile: words.describe('A file with such a template.'), variables, required }),
])

/** Instructions: a text, a file, a template, or a list of them. */
export const instructionsSchema = z
  .union([partSchema, z.array(partSchema).min(1)])
  .describe('Instructions: a text, a file, a template, or a list of them.')

export type InstructionsData = z.output<typeof instructionsSchema>
export type InstructionPart = z.output<typeof partSchema>

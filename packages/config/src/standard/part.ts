import type * as z from 'zod'
import type { PartContext, PartType } from '../compose/part-type.ts'

/** Creates a type of parts: checks the options of a part with a schema, then makes the part from them. */
export function part<TSchema extends z.ZodType, TPart>(
  options: TSchema,
  make: (options: z.output<TSchema>, context: PartContext) => TPart | Promise<TPart>,
): PartType<TPart> {
  return { options, make: (given, context) => make(options.parse(given), context) }
}

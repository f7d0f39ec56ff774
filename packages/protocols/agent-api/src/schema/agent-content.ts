import * as z from 'zod'
import { agentStatusSchema, eventFields } from './event-fields.ts'
import { jsonObjectSchema } from './json-object.ts'

const text = z.string().nullable().default(null)

const fields = {
  ...eventFields,
  object: z.literal('content').default('content'),
  status: agentStatusSchema.nullable().default(null),
  /** Index in the message's content. */
  index: z.int().min(0).nullable().default(null),
  /** Whether the value is added to the part so far. If false, it replaces the part. */
  delta: z.boolean().nullable().default(null),
  /** Id of the message that the part belongs to. */
  msg_id: z.string().nullable().default(null),
}

export const textContentSchema = z.object({ ...fields, type: z.literal('text'), text })
export const dataContentSchema = z.object({
  ...fields,
  type: z.literal('data'),
  data: jsonObjectSchema.nullable().default(null),
})
/** An image. `image_url` is a URL or a `data:` URL. */
export const imageContentSchema = z.object({ ...fields, type: z.literal('image'), image_url: text })
/** Audio. `data` is a URL, a `data:` URL or base64. */
export const audioContentSchema = z.object({ ...fields, type: z.literal('audio'), data: text, format: text })
/** A file. `file_data` is base64 or a `data:` URL. */
export const fileContentSchema = z.object({
  ...fields,
  type: z.literal('file'),
  file_url: text,
  file_id: text,
  filename: text,
  file_data: text,
})
export const refusalContentSchema = z.object({ ...fields, type: z.literal('refusal'), refusal: text })
export const videoContentSchema = z.object({ ...fields, type: z.literal('video'), video_url: text })

/** One part of a message's content. */
export const agentContentSchema = z.discriminatedUnion('type', [
  textContentSchema,
  dataContentSchema,
  imageContentSchema,
  audioContentSchema,
  fileContentSchema,
  refusalContentSchema,
  videoContentSchema,
])
export type AgentContent = z.infer<typeof agentContentSchema>
/** Type of a part of a message's content. */
export type ContentType = AgentContent['type']

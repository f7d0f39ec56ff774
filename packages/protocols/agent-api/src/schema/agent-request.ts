import { parseBody } from '@parley/encoders/kit'
import * as z from 'zod'
import { agentErrorSchema } from './event-fields.ts'
import { agentRoleSchema } from './agent-message.ts'
import { jsonObjectSchema } from './json-object.ts'
import { lenientBoolean, lenientInt, lenientNumber } from './lenient.ts'

const text = z.string().nullish()

const common = {
  sequence_number: lenientInt.nullish(),
  error: agentErrorSchema.nullish(),
  object: z.string().optional(),
}
const part = {
  ...common,
  status: text,
  index: lenientInt.nullish(),
  delta: lenientBoolean.nullish(),
  msg_id: text,
}

/** A part of an input message. Unknown fields are dropped. */
export const inputContentSchema = z.discriminatedUnion('type', [
  z.object({ ...part, type: z.literal('text'), text }),
  z.object({ ...part, type: z.literal('data'), data: jsonObjectSchema.nullish() }),
  z.object({ ...part, type: z.literal('image'), image_url: text }),
  z.object({ ...part, type: z.literal('audio'), data: text, format: text }),
  z.object({ ...part, type: z.literal('file'), file_url: text, file_id: text, filename: text, file_data: text }),
  z.object({ ...part, type: z.literal('refusal'), refusal: text }),
  z.object({ ...part, type: z.literal('video'), video_url: text }),
])
export type InputContent = z.infer<typeof inputContentSchema>

/** A message as clients send it. Most fields are optional. Unknown fields are dropped. */
export const inputMessageSchema = z.object({
  ...common,
  id: z.string().optional(),
  type: z.string().default('message'),
  status: z.string().default('created'),
  role: agentRoleSchema.nullish(),
  content: z.array(inputContentSchema).nullish(),
  code: text,
  message: text,
  usage: jsonObjectSchema.nullish(),
  metadata: jsonObjectSchema.nullish(),
})
export type InputMessage = z.infer<typeof inputMessageSchema>

/** A tool that a client describes. `parameters` is a JSON Schema and is kept unchanged. */
export const agentToolSchema = z.looseObject({
  type: text,
  function: z.looseObject({ name: z.string(), description: z.string(), parameters: jsonObjectSchema }).nullish(),
})
export type AgentTool = z.infer<typeof agentToolSchema>

/** The body of a request. Unknown fields at the top level are kept. */
export const agentRequestSchema = z.looseObject({
  input: z.array(inputMessageSchema),
  stream: lenientBoolean.default(true),
  /** Id for the response. */
  id: text,
  /** Another name of `id`, which has precedence. */
  response_id: text,
  model: text,
  top_p: lenientNumber.nullish(),
  temperature: lenientNumber.nullish(),
  frequency_penalty: lenientNumber.nullish(),
  presence_penalty: lenientNumber.nullish(),
  max_tokens: lenientInt.nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  n: lenientInt.pipe(z.int().min(1).max(5)).nullish(),
  seed: lenientInt.nullish(),
  /** Tools that the client describes. `agentToolSchema` is the usual shape, but any object is accepted. */
  tools: z.array(jsonObjectSchema).nullish(),
  session_id: text,
  user_id: text,
})
export type AgentRequest = z.infer<typeof agentRequestSchema>
/** The input type of `agentRequestSchema`. */
export type AgentRequestInput = z.input<typeof agentRequestSchema>

/**
 * Reads the body of a request, already parsed from JSON.
 * @throws ParleyError `request-invalid` naming the first invalid field.
 */
export function parseAgentRequest(body: unknown): AgentRequest {
  return parseBody(agentRequestSchema, body)
}

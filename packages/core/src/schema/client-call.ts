import * as z from 'zod'
import { toolResultPartSchema, type ToolResultPart } from './content.ts'
import { jsonSchema, type Json } from './json.ts'

/** A tool call that the client executes. The call waits until the client submits its result. */
export const clientCallSchema = z.object({
  requestId: z.string(),
  /** Id of the run that made the call, if that is a child run of the run that reports the call. */
  runId: z.string().optional(),
  callId: z.string(),
  /** Name of the tool. */
  name: z.string(),
  /** Present if the client executes the call. Absent if another system submits its result. */
  execution: z.literal('client').optional(),
  /** The validated arguments, with the defaults of the tool's schema. */
  input: jsonSchema,
  /** Milliseconds that the client has. Absent: unlimited. */
  expiresInMs: z.number().optional(),
  /** Time after which the call ends as timed out, in milliseconds since the epoch. Absent: never. */
  expiresAt: z.int().optional(),
})
/** A tool call that the client executes. */
export interface ClientCall {
  requestId: string
  /** Id of the run that made the call, if that is a child run of the run that reports the call. */
  runId?: string | undefined
  callId: string
  /** Name of the tool. */
  name: string
  /** Present if the client executes the call. Absent if another system submits its result. */
  execution?: 'client' | undefined
  /** The validated arguments, with the defaults of the tool's schema. */
  input: Json
  /** Milliseconds that the client has. Absent: unlimited. */
  expiresInMs?: number | undefined
  /** Time after which the call ends as timed out, in milliseconds since the epoch. Absent: never. */
  expiresAt?: number | undefined
}

/** The end of a call that the client executes: its result, or that it timed out. */
export const submissionSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('result'),
    /** The result for the model, as texts and files. */
    content: z.array(toolResultPartSchema),
    /** The result as data. It is validated if the tool has an output schema. */
    structured: jsonSchema.optional(),
    /** Whether the client could not execute the call. `content` tells the model why. */
    isError: z.boolean().optional(),
  }),
  /** The client submitted no result in time. */
  z.object({ type: z.literal('timed-out') }),
])
/** The end of a call that the client executes. */
export type Submission =
  | {
      type: 'result'
      /** The result for the model, as texts and files. */
      content: ToolResultPart[]
      /** The result as data. It is validated if the tool has an output schema. */
      structured?: Json | undefined
      /** Whether the client could not execute the call. `content` tells the model why. */
      isError?: boolean | undefined
    }
  /** The client submitted no result in time. */
  | { type: 'timed-out' }

/** A tool that a client sent with its request and executes itself. */
export const clientToolSchema = z.object({
  /** 1 to 64 of the characters `A-Z a-z 0-9 _ -`. */
  name: z.string(),
  description: z.string(),
  /** JSON Schema of the arguments, an object. */
  inputSchema: z.record(z.string(), jsonSchema),
})
/** A tool that a client sent with its request and executes itself. */
export interface ClientTool {
  /** 1 to 64 of the characters `A-Z a-z 0-9 _ -`. */
  name: string
  description: string
  /** JSON Schema of the arguments, an object. */
  inputSchema: Record<string, Json>
}

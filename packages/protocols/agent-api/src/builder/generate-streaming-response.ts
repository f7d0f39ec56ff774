import { ResponseBuilder, type ResponseBuilderOptions } from './response-builder.ts'
import type { AgentEvent } from '../schema/agent-event.ts'
import type { AgentRole } from '../schema/agent-message.ts'

export interface StreamingResponseOptions extends ResponseBuilderOptions {
  /** @default 'assistant' */
  readonly role?: AgentRole | undefined
}

/** A whole stream whose answer is one text message, made of these pieces. */
export function generateStreamingResponse(
  tokens: Iterable<string>,
  { role, ...options }: StreamingResponseOptions = {},
): Generator<AgentEvent, void> {
  return new ResponseBuilder(options).generateStreamingResponse(tokens, role)
}

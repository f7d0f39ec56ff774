import type * as z from 'zod'
import { isEndStatus } from '../protocol/end-status.ts'
import {
  contentDeltaSchema,
  contentEndSchema,
  contentSnapshotSchema,
  messageEventSchema,
  responseEventSchema,
} from '../schema/agent-event.ts'
import type { AgentStatus } from '../schema/event-fields.ts'
import type { JsonObject } from '../schema/json-object.ts'

/** Finds the schema for an event. `undefined` for a value that is not an event. */
export function schemaOfEvent(event: Readonly<JsonObject>): z.ZodType | undefined {
  switch (event['object']) {
    case 'response':
      return responseEventSchema
    case 'message':
      return messageEventSchema
    case 'content':
      if (isEndStatus(event['status'] as AgentStatus | null)) return contentEndSchema
      return event['delta'] === true ? contentDeltaSchema : contentSnapshotSchema
    default:
      return undefined
  }
}

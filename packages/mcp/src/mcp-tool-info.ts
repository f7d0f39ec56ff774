import type { JsonSchemaObject } from '@parley/core'

/** A tool as its server describes it. */
export interface McpToolInfo {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** Exactly as the server sent it. */
  readonly inputSchema: JsonSchemaObject
  readonly outputSchema?: JsonSchemaObject | undefined
  /** Hints of the server about itself: nobody has checked them. */
  readonly annotations?:
    | {
        readonly readOnlyHint?: boolean | undefined
        readonly destructiveHint?: boolean | undefined
        readonly idempotentHint?: boolean | undefined
        readonly openWorldHint?: boolean | undefined
      }
    | undefined
}

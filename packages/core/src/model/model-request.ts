import type { JsonSchemaObject } from '../json-schema/standard-schema.ts'
import type { Message } from '../schema/message.ts'
import type { ModelSettings, ToolChoice } from './model-settings.ts'

/** Everything that one model call sends. */
export interface ModelRequest {
  /** Instructions in order. Volatile parts come last, so that a prompt cache can keep the stable parts before them. */
  readonly system: readonly SystemPart[]
  /** A valid transcript: each tool call has exactly one result, directly after the message with the call. */
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[]
  /**
   * `auto`: the model decides whether to call tools. `none`: it calls none. `required`: it must call one. `{ name }`: it must
   * call this tool. @default 'auto'
   */
  readonly toolChoice?: ToolChoice | undefined
  readonly settings: ModelSettings
}

/** A part of the instructions. */
export interface SystemPart {
  readonly text: string
  /** Whether the part changes between calls (the time, a page), so that caching it is useless. @default false */
  readonly volatile?: boolean | undefined
}

/** A tool as the model sees it. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchemaObject
  /**
   * Whether the provider must enforce the schema while the model writes the arguments. The schema then has the form that
   * strict mode requires. Providers without a strict mode ignore it. @default false
   */
  readonly strict?: boolean | undefined
}

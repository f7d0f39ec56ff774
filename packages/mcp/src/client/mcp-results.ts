import type { McpContent } from '../tools/mcp-tool-host.ts'

/** A resource, as its server describes it. */
export interface McpResource {
  readonly uri: string
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly mimeType?: string | undefined
  /** Size in bytes. */
  readonly size?: number | undefined
}

/** A template for the URIs of resources. */
export interface McpResourceTemplate {
  /** URI template (RFC 6570). */
  readonly uriTemplate: string
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly mimeType?: string | undefined
}

/** A part of a resource: `text`, or `blob` in base64. */
export interface McpResourceContents {
  readonly uri: string
  readonly mimeType?: string | undefined
  readonly text?: string | undefined
  readonly blob?: string | undefined
}

/** A prompt, as its server describes it. */
export interface McpPrompt {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly arguments?:
    | readonly {
        readonly name: string
        readonly description?: string | undefined
        readonly required?: boolean | undefined
      }[]
    | undefined
}

/** A rendered prompt. */
export interface McpPromptResult {
  readonly description?: string | undefined
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: McpContent }[]
}

/** An argument that is being written, for suggestions. */
export interface McpCompletion {
  readonly of: { readonly prompt: string } | { readonly resourceTemplate: string }
  readonly argument: string
  /** The value written so far. */
  readonly value: string
  /** Values of other arguments. @default {} */
  readonly known?: Readonly<Record<string, string>> | undefined
}

/** Suggested values for an argument. */
export interface McpCompletionResult {
  /** The suggested values, at most 100. */
  readonly values: readonly string[]
  /** Total number of values, if the server reports it. */
  readonly total?: number | undefined
  readonly hasMore?: boolean | undefined
}

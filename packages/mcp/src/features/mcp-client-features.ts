import type { Model } from '@parley/core'

/** What a server may ask of this client. What is absent is not advertised, so that a server does not ask for it. */
export interface McpClientFeatures {
  /** Answers a server's questions to the user. @default the server is not told that it may ask */
  readonly onElicit?:
    | ((elicitation: McpElicitation) => McpElicitationAnswer | Promise<McpElicitationAnswer>)
    | undefined
  /** Lets the server ask a model, at the cost of whoever runs this. @default it may not */
  readonly sampling?: McpSampling | undefined
  /** Directories and files the server should keep to. @default the server is told of none */
  readonly roots?: readonly McpRoot[] | undefined
}

/** A question of a server to the user. Its words are the server's: show who asks. */
export type McpElicitation =
  | {
      readonly mode: 'form'
      readonly server: string
      readonly message: string
      /** A flat JSON Schema of the fields. What is left out of the answer gets its default from here. */
      readonly schema: Readonly<Record<string, unknown>>
      readonly signal: AbortSignal
    }
  | {
      readonly mode: 'url'
      readonly server: string
      readonly message: string
      /** `http:` or `https:`. To be shown to the user and opened only if they agree; never fetched. */
      readonly url: string
      /**
       * Whether a request was refused until the user has been there. It is sent again, once, after `accept`: answer when
       * they are done.
       */
      readonly required: boolean
      /** Resolves when the server says that they are done. Not every server does. */
      readonly completed: Promise<void>
      readonly signal: AbortSignal
    }

export type McpElicitationAnswer =
  | {
      readonly action: 'accept'
      readonly content?: Readonly<Record<string, string | number | boolean | readonly string[]>> | undefined
    }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' }

export interface McpSampling {
  readonly model: Model
  /**
   * Whether the model may be asked this. The words are the server's: untrusted.
   * @default every request is let through
   */
  readonly allow?: ((request: McpSamplingRequest) => boolean | Promise<boolean>) | undefined
  /** The most tokens one answer may have, whatever the server wants. @default 4_096 */
  readonly maxOutputTokens?: number | undefined
}

export interface McpSamplingRequest {
  readonly server: string
  readonly system: string | undefined
  /** In the protocol's shape. */
  readonly messages: readonly Readonly<Record<string, unknown>>[]
  readonly maxOutputTokens: number
}

export interface McpRoot {
  /** A `file:` URL. */
  readonly uri: string
  readonly name?: string | undefined
}

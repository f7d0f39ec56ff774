import type { Model } from '@parley/core'

/** Features that a server may use. The client does not declare a feature that is absent, so the server does not use it. */
export interface McpClientFeatures {
  /** Asks the user the questions of a server and returns the user's answers. @default none: not declared */
  readonly onElicit?:
    | ((elicitation: McpElicitation) => McpElicitationAnswer | Promise<McpElicitationAnswer>)
    | undefined
  /** Lets the server send prompts to a model, at the cost of this program's operator. @default none: not declared */
  readonly sampling?: McpSampling | undefined
  /** Directories and files that the server should limit itself to. @default none: not declared */
  readonly roots?: readonly McpRoot[] | undefined
}

/** A question of a server to the user. The server wrote the message: show the server's name with it. */
export type McpElicitation =
  | {
      readonly mode: 'form'
      readonly server: string
      readonly message: string
      /** A flat JSON Schema of the fields. A field that the answer omits gets its default from the schema. */
      readonly schema: Readonly<Record<string, unknown>>
      readonly signal: AbortSignal
    }
  | {
      readonly mode: 'url'
      readonly server: string
      readonly message: string
      /** An `http:` or `https:` URL. Show it to the user and open it only if the user agrees. Never fetch it. */
      readonly url: string
      /**
       * Whether the server refuses a request until the user has visited the page. After the answer `accept`, the client
       * sends the request once more. So answer when the user has finished.
       */
      readonly required: boolean
      /** Resolves when the server reports that the user has finished the page. Not every server reports this. */
      readonly completed: Promise<void>
      readonly signal: AbortSignal
    }

/** The user's answer. `content` holds the fields of a form. */
export type McpElicitationAnswer =
  | {
      readonly action: 'accept'
      readonly content?: Readonly<Record<string, string | number | boolean | readonly string[]>> | undefined
    }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' }

/** Settings for prompts that a server sends to a model. */
export interface McpSampling {
  /** The model that answers. If it can call tools, servers may offer it tools, whose calls they execute themselves. */
  readonly model: Model
  /**
   * Whether to allow the request. The server wrote its messages: treat them as untrusted.
   * @default every request is allowed
   */
  readonly allow?: ((request: McpSamplingRequest) => boolean | Promise<boolean>) | undefined
  /** Upper limit of tokens in one answer, even if the server asks for more. @default 4_096 */
  readonly maxOutputTokens?: number | undefined
}

/** A request of a server for an answer of the model. */
export interface McpSamplingRequest {
  readonly server: string
  readonly system: string | undefined
  /** Messages in the protocol's shape. */
  readonly messages: readonly Readonly<Record<string, unknown>>[]
  /** Tools in the protocol's shape. The server executes their calls. */
  readonly tools: readonly Readonly<Record<string, unknown>>[]
  readonly maxOutputTokens: number
}

/** A directory or file that the server should limit itself to. */
export interface McpRoot {
  /** A `file:` URL. */
  readonly uri: string
  readonly name?: string | undefined
}

import type { Json } from '@parley/core'

/** A `.prompty` file, read: legacy forms migrated, references resolved. Plain data. */
export interface PromptyAgent {
  readonly name?: string | undefined
  readonly displayName?: string | undefined
  readonly description?: string | undefined
  /** Free: authors, tags, version, … */
  readonly metadata: Readonly<Record<string, Json>>
  readonly model: PromptyModel
  readonly inputs: readonly PromptyProperty[]
  /** What the answer must be, as properties of an object; empty for text. */
  readonly outputs: readonly PromptyProperty[]
  readonly tools: readonly PromptyTool[]
  readonly template: PromptyTemplate
  /** The body: the template itself. */
  readonly instructions: string
  /** Where it was read from, for errors and for files named in inputs; absent for text without a place. */
  readonly path?: string | undefined
  /** What was read but should be written differently, one sentence each. */
  readonly warnings: readonly string[]
}

export interface PromptyModel {
  readonly id?: string | undefined
  /** @default 'openai' */
  readonly provider?: string | undefined
  /** @default 'chat' */
  readonly apiType?: PromptyApiType | undefined
  readonly connection?: PromptyConnection | undefined
  readonly options: PromptyOptions
}

export type PromptyApiType = 'chat' | 'responses' | 'embedding' | 'image'

/** How the model is reached; which fields there are depends on `kind`. */
export interface PromptyConnection {
  readonly kind: string
  readonly [field: string]: Json
}

export interface PromptyOptions {
  readonly temperature?: number | undefined
  readonly maxOutputTokens?: number | undefined
  readonly topP?: number | undefined
  readonly topK?: number | undefined
  readonly frequencyPenalty?: number | undefined
  readonly presencePenalty?: number | undefined
  readonly seed?: number | undefined
  readonly stopSequences?: readonly string[] | undefined
  readonly allowMultipleToolCalls?: boolean | undefined
  /** Sent to the provider as they are, beside what the fields above become. `stream` says how the answer is asked for. */
  readonly additionalProperties?: Readonly<Record<string, Json>> | undefined
}

export const PROPERTY_KINDS = [
  'string',
  'integer',
  'float',
  'number',
  'boolean',
  'array',
  'object',
  'union',
  'thread',
  'image',
  'file',
  'audio',
] as const

export type PropertyKind = (typeof PROPERTY_KINDS)[number]

/** An input, an output, or a parameter of a tool. */
export interface PromptyProperty {
  readonly name: string
  readonly kind: PropertyKind
  readonly description?: string | undefined
  /** @default false */
  readonly required?: boolean | undefined
  /** @default false */
  readonly nullable?: boolean | undefined
  readonly default?: Json | undefined
  /** For readers; never used at run time. */
  readonly example?: Json | undefined
  readonly enumValues?: readonly Json[] | undefined
  /** Of an input: whether a value that looks like a role marker is an error. @default the template's */
  readonly strict?: boolean | undefined
  /** Of an array. */
  readonly items?: PromptyProperty | undefined
  /** Of an object. */
  readonly properties?: readonly PromptyProperty[] | undefined
  /** Of a union: exactly one fits. */
  readonly oneOf?: readonly PromptyProperty[] | undefined
  /** Of a union: at least one fits. */
  readonly anyOf?: readonly PromptyProperty[] | undefined
}

/** A tool as the file declares it. Kinds besides `function` are brought to life by the host. */
export interface PromptyTool {
  readonly name: string
  readonly kind: string
  readonly description?: string | undefined
  /** Parameters that the host fills from inputs; the model never sees them. */
  readonly bindings: Readonly<Record<string, { readonly input: string }>>
  /** Of a function. */
  readonly parameters?: readonly PromptyProperty[] | undefined
  /** Of a function: the model is held to the schema, which then requires every parameter. @default false */
  readonly strict?: boolean | undefined
  readonly connection?: PromptyConnection | undefined
  readonly approvalMode?: PromptyApprovalMode | undefined
  readonly allowedTools?: readonly string[] | undefined
  /** Whatever else the declaration says: `serverName`, `specification`, `options`, … */
  readonly [field: string]: unknown
}

export interface PromptyApprovalMode {
  readonly kind: 'always' | 'never' | 'specify'
  readonly alwaysRequireApprovalTools?: readonly string[] | undefined
  readonly neverRequireApprovalTools?: readonly string[] | undefined
}

export interface PromptyTemplate {
  readonly format: {
    readonly kind: string
    /** Whether an input whose text looks like a role marker is an error. It is inert in either case. @default false */
    readonly strict?: boolean | undefined
    readonly options?: Readonly<Record<string, Json>> | undefined
  }
  readonly parser: { readonly kind: string; readonly options?: Readonly<Record<string, Json>> | undefined }
}

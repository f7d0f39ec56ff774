import type { Json } from '@parley/core'

/** A parsed `.prompty` file as plain data. Older forms are migrated and references are resolved. */
export interface PromptyAgent {
  /** Name of the prompt. `toAgent` uses it as the name of the agent. Missing if the file has none. */
  readonly name?: string | undefined
  readonly displayName?: string | undefined
  readonly description?: string | undefined
  /**
   * Data about the file: authors, tags, version, … Only `tool_functions` has an effect: a program may put the functions of the
   * file's tools there, by name.
   */
  readonly metadata: Readonly<Record<string, unknown>>
  /** Missing if the file has none: the host then needs the option `model`. */
  readonly model?: PromptyModel | undefined
  readonly inputs: readonly PromptyProperty[]
  /** Properties of the answer, which is then an object. Empty if the answer is text. */
  readonly outputs: readonly PromptyProperty[]
  readonly tools: readonly PromptyTool[]
  readonly template: PromptyTemplate
  /** The body of the file: the template. */
  readonly instructions: string
  /** The path of the file: its name in errors, and the start of relative paths in inputs. Missing for text without a file. */
  readonly path?: string | undefined
  /** Warnings about valid fields that should be written differently, one sentence each. */
  readonly warnings: readonly string[]
}

/** The model of a file, and how to call it. */
export interface PromptyModel {
  /** The provider's id of the model. Missing if the file has none. */
  readonly id?: string | undefined
  /** Name of a provider of the host. @default 'openai' */
  readonly provider?: string | undefined
  /** The API of the provider that is called. @default 'chat' */
  readonly apiType?: PromptyApiType | undefined
  readonly connection?: PromptyConnection | undefined
  readonly options: PromptyOptions
}

/** The API that a file calls. */
export type PromptyApiType = 'chat' | 'responses' | 'embedding' | 'image'

/** Address and credentials of the model. The other fields depend on `kind`. */
export interface PromptyConnection {
  readonly kind: string
  readonly [field: string]: Json
}

/** Options of the model call. */
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
  /** Additional request fields, sent unchanged. `stream` selects streamed answers. */
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
  /** Whether a value must be given. @default false */
  readonly required?: boolean | undefined
  /** Whether the value may be `null`. @default false */
  readonly nullable?: boolean | undefined
  readonly default?: Json | undefined
  /** An example for readers of the file. It is never used as a value. */
  readonly example?: Json | undefined
  readonly enumValues?: readonly Json[] | undefined
  /** Inputs only: whether a value that looks like a role marker is an error. @default `strict` of the template */
  readonly strict?: boolean | undefined
  /** The property that describes the items of an array. */
  readonly items?: PromptyProperty | undefined
  /** The properties of a value of kind `object`. */
  readonly properties?: readonly PromptyProperty[] | undefined
  /** Kinds of a union, of which exactly one fits. */
  readonly oneOf?: readonly PromptyProperty[] | undefined
  /** Kinds of a union, of which at least one fits. */
  readonly anyOf?: readonly PromptyProperty[] | undefined
}

/** A tool as the file declares it. The host implements kinds other than `function`. */
export interface PromptyTool {
  readonly name: string
  readonly kind: string
  readonly description?: string | undefined
  /** Parameters that are filled from inputs. The model does not see them. */
  readonly bindings: Readonly<Record<string, { readonly input: string }>>
  /** Parameters of a function, in the order of its arguments. */
  readonly parameters?: readonly PromptyProperty[] | undefined
  /** Functions only: whether the provider enforces the schema, which then requires every parameter. @default false */
  readonly strict?: boolean | undefined
  readonly connection?: PromptyConnection | undefined
  readonly approvalMode?: PromptyApprovalMode | undefined
  readonly allowedTools?: readonly string[] | undefined
  /** All other fields of the declaration: `serverName`, `specification`, `options`, … */
  readonly [field: string]: unknown
}

/** Decides which tools of a source ask permission. */
export interface PromptyApprovalMode {
  readonly kind: 'always' | 'never' | 'specify'
  readonly alwaysRequireApprovalTools?: readonly string[] | undefined
  readonly neverRequireApprovalTools?: readonly string[] | undefined
}

/** The template engine and the parser of a file. */
export interface PromptyTemplate {
  readonly format: {
    readonly kind: string
    /** Whether an input that looks like a role marker is an error. It never starts a message in either case. @default false */
    readonly strict?: boolean | undefined
    readonly options?: Readonly<Record<string, Json>> | undefined
  }
  readonly parser: { readonly kind: string; readonly options?: Readonly<Record<string, Json>> | undefined }
}

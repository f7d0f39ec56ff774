import type { EffortFamilies } from './efforts.ts'

/** How a server of OpenAI's shape differs from OpenAI, as data. */
export interface Quirks {
  /** Also the provider's name unless another is given. */
  readonly profile: string
  /** Environment variable that holds its key, when one is customary. */
  readonly keyVariable?: string | undefined
  /** @default 'bearer' */
  readonly keyHeader?: 'bearer' | 'api-key' | undefined
  /** Field for the output limit. @default 'max_tokens' */
  readonly outputLimitField?: 'max_tokens' | 'max_completion_tokens' | undefined
  /** Whether instructions for reasoning models go under the role `developer`. @default false */
  readonly developerRole?: boolean | undefined
  /**
   * Whether models take temperature, top-p and stop sequences while they reason; those of OpenAI refuse the request, so that
   * it is refused before it is sent. @default true
   */
  readonly samplingWhileReasoning?: boolean | undefined
  /** The most stop sequences it takes. @default any number */
  readonly mostStopSequences?: number | undefined
  /** The least output limit of the Responses API. @default 1 */
  readonly leastResponsesOutput?: number | undefined
  /**
   * Where system messages may stand; those further on go as the user's text in `<system>` tags to servers whose templates
   * take only the first. @default 'anywhere'
   */
  readonly systemMessages?: 'anywhere' | 'first' | undefined
  /** Whether user and assistant must take turns; several messages of one side in a row are then sent as one. @default false */
  readonly alternatingRoles?: boolean | undefined
  /** Whether `stream_options.include_usage` is understood. @default true */
  readonly streamOptions?: boolean | undefined
  /** Whether it pads streams with random text, against eavesdroppers who count bytes, unless it is told not to. @default false */
  readonly paddedStreams?: boolean | undefined
  /**
   * Which tool call ids it takes: any, at most 40 characters, nine letters and digits, or the very ids it gave before
   * they were replaced. Others are rewritten on the wire only. @default 'any'
   */
  readonly toolCallIds?: 'any' | 'at-most-40' | 'nine-alphanumeric' | 'own' | undefined
  /**
   * How the arguments of a past call go back when they are no JSON object: wrapped in one, for servers that parse them, or
   * as the model wrote them. @default 'wrapped'
   */
  readonly brokenArguments?: 'wrapped' | 'verbatim' | undefined
  /** What it calls the tool choice `required`; `omit` when it knows none. @default 'required' */
  readonly requiredToolChoice?: 'required' | 'any' | 'omit' | undefined
  /** Whether it reads `tool_choice` at all. @default true */
  readonly toolChoice?: boolean | undefined
  /** Value for `parallel_tool_calls` when there are tools and the caller sets none; left out when absent. */
  readonly parallelToolCalls?: boolean | undefined
  /** Whether a tool's result repeats the tool's name. @default false */
  readonly nameInToolResult?: boolean | undefined
  /** Whether an assistant message must stand between a tool's result and a user message. @default false */
  readonly assistantAfterToolResults?: boolean | undefined
  /** Whether images may be given by address. @default true */
  readonly imageUrls?: boolean | undefined
  /** Field that takes the reasoning of assistant messages back. @default 'none' */
  readonly reasoningField?: 'none' | 'reasoning_content' | 'reasoning' | undefined
  /** Whether calls of an open tool loop must bear that field even where there was no reasoning. @default false */
  readonly emptyReasoning?: boolean | undefined
  /**
   * Whether reasoning is taken from text that starts with `<think>`; `implied` for templates that leave the opening tag out:
   * all text up to `</think>` is reasoning. @default 'keep'
   */
  readonly thinkTags?: 'keep' | 'split' | 'implied' | undefined
  /** @default 'seed' */
  readonly seedField?: 'seed' | 'random_seed' | undefined
  /** Whether `parallel_tool_calls` is understood. @default true */
  readonly serialToolCalls?: boolean | undefined
  /**
   * How thinking is asked for: by `reasoning_effort` (`reasoning.effort` of the Responses API), by OpenRouter's
   * `reasoning`, by `thinking.type`, which is on or off, with `reasoning_effort` for models that have efforts, or by means
   * of its own that levels do not name. @default 'effort'
   */
  readonly thinking?: 'effort' | 'reasoning' | 'switch' | 'none' | undefined
  /** Which efforts its models take, by id. @default none, low, medium and high for all */
  readonly efforts?: EffortFamilies | undefined
  /** Which forms of JSON answers it has: any object, one that fits a schema, or both. @default 'any' */
  readonly jsonOutput?: 'any' | 'object' | 'schema' | undefined
  /** Statuses by which it refuses a conversation as too long without saying a word. @default none */
  readonly wordlessOverflow?: readonly number[] | undefined
  /** Which schemas it takes as strict: any, or only in the form OpenAI demands. @default 'any' */
  readonly strictSchemas?: 'any' | 'closed' | undefined
}

import type { EffortFamilies } from './efforts.ts'

/** How an OpenAI-compatible server differs from OpenAI. */
export interface Quirks {
  /** Name of the profile. Also the default name of the provider. */
  readonly profile: string
  /** Environment variable that usually contains the key of the service. */
  readonly keyVariable?: string | undefined
  /** Header that contains the key. In `authorization` the key follows the word `Bearer`. @default 'authorization' */
  readonly keyHeader?: 'authorization' | 'api-key' | undefined
  /** Field of the output limit. @default 'max_tokens' */
  readonly outputLimitField?: 'max_tokens' | 'max_completion_tokens' | undefined
  /** Whether instructions for reasoning models have the role `developer`. @default false */
  readonly developerRole?: boolean | undefined
  /**
   * Whether models accept temperature, top-p and stop sequences while they reason. OpenAI's models reject such a request, so
   * with `false` it fails before it is sent. @default true
   */
  readonly samplingWhileReasoning?: boolean | undefined
  /** Largest number of stop sequences in one request. @default Infinity */
  readonly maxStopSequences?: number | undefined
  /** Whether the server supports `top_k`. @default true */
  readonly topK?: boolean | undefined
  /** Whether the server supports `frequency_penalty` and `presence_penalty`. @default true */
  readonly penalties?: boolean | undefined
  /** Smallest output limit of the Responses API, in tokens. @default 1 */
  readonly minResponsesOutput?: number | undefined
  /**
   * Where system messages may occur. `first`: only at the start; later ones are sent as user text in `<system>` tags,
   * because the chat templates of some servers reject them. @default 'anywhere'
   */
  readonly systemMessages?: 'anywhere' | 'first' | undefined
  /** Whether user and assistant messages must alternate. If so, consecutive messages of one role are joined. @default false */
  readonly alternatingRoles?: boolean | undefined
  /** Whether the server supports `stream_options.include_usage`. @default true */
  readonly streamOptions?: boolean | undefined
  /**
   * Whether the server pads streams with random text by default, to hide the length of the answer. The provider turns
   * the padding off. @default false
   */
  readonly paddedStreams?: boolean | undefined
  /**
   * Which tool call ids the server accepts. Either any id, ids of at most 40 characters, ids of exactly nine letters
   * and digits, or only the server's own ids. Other ids are replaced in the request; the journal keeps them.
   * @default 'any'
   */
  readonly toolCallIds?: 'any' | 'at-most-40' | 'nine-alphanumeric' | 'own' | undefined
  /**
   * How the arguments of a past call are sent if they are not a JSON object. `wrapped`: inside an object, for servers
   * that parse them. `verbatim`: as the model wrote them. @default 'wrapped'
   */
  readonly brokenArguments?: 'wrapped' | 'verbatim' | undefined
  /** The server's word for the tool choice `required`; `omit` if it has none. @default 'required' */
  readonly requiredToolChoice?: 'required' | 'any' | 'omit' | undefined
  /** Whether the server supports `tool_choice`. @default true */
  readonly toolChoice?: boolean | undefined
  /** Value of `parallel_tool_calls` for a request with tools whose settings give none. @default the field is left out */
  readonly parallelToolCalls?: boolean | undefined
  /** Whether a tool result must contain the name of the tool. @default false */
  readonly nameInToolResult?: boolean | undefined
  /** Whether an assistant message must separate a tool result from a user message. @default false */
  readonly assistantAfterToolResults?: boolean | undefined
  /** Whether the server accepts images by URL. @default true */
  readonly imageUrls?: boolean | undefined
  /** Field in which the reasoning of assistant messages is sent back. @default 'none' */
  readonly reasoningField?: 'none' | 'reasoning_content' | 'reasoning' | undefined
  /**
   * Whether an assistant message with calls, in a tool loop in progress, needs `reasoningField` even without reasoning.
   * @default false
   */
  readonly emptyReasoning?: boolean | undefined
  /**
   * Whether reasoning is separated from text that starts with `<think>`. `implied` is for chat templates that omit the opening
   * tag: all text up to `</think>` is reasoning. @default 'keep'
   */
  readonly thinkTags?: 'keep' | 'split' | 'implied' | undefined
  /** Field of the seed. @default 'seed' */
  readonly seedField?: 'seed' | 'random_seed' | undefined
  /** Whether the server supports `parallel_tool_calls`. @default true */
  readonly serialToolCalls?: boolean | undefined
  /**
   * How thinking is requested. `effort`: by `reasoning_effort` (`reasoning.effort` in the Responses API). `reasoning`: by
   * OpenRouter's `reasoning`. `switch`: by `thinking.type`, which is on or off, and `reasoning_effort` for models with
   * efforts. `none`: not by levels, so a thinking setting fails with `model-unsupported`. @default 'effort'
   */
  readonly thinking?: 'effort' | 'reasoning' | 'switch' | 'none' | undefined
  /** The efforts that models support, by id. @default none, low, medium and high for all models */
  readonly efforts?: EffortFamilies | undefined
  /**
   * JSON output that the server supports. `object`: only JSON without a schema. `schema`: only JSON with a schema.
   * `any`: both. @default 'any'
   */
  readonly jsonOutput?: 'any' | 'object' | 'schema' | undefined
  /** Statuses that mean, without a body, that the conversation is too long. @default [] */
  readonly overflowStatuses?: readonly number[] | undefined
  /** Schemas accepted as strict: any, or only closed ones in the form that OpenAI requires. @default 'any' */
  readonly strictSchemas?: 'any' | 'closed' | undefined
}

import type {
  BusEvent,
  BusEventType,
  ErrorInfo,
  EventSink,
  Middleware,
  ResourceEvent,
  SystemPart,
  Tool,
  ToolSource,
} from '@parley/core'
import type { McpServerData } from '../schema/mcp-schema.ts'
import type { BusData, OtelData } from '../schema/service-schema.ts'

/** Opens MCP servers. */
export interface McpService {
  /** Converts an entry of the file to what `open` takes. @throws ParleyError `config-invalid` with the path of the field. */
  define(name: string, server: McpServerData): unknown
  open(definitions: readonly unknown[], options: McpStartOptions): Promise<OpenedServers>
}

/** How MCP servers are started. */
export interface McpStartOptions {
  /**
   * What happens if a server does not start: the start fails, or that server is skipped. @default the file's
   * `mcpStartupPolicy`, or 'fail-fast'
   */
  readonly startupPolicy?: 'fail-fast' | 'log-and-continue' | undefined
  /** Called for each server that is skipped. @default none */
  readonly onSkip?: ((name: string, error: ErrorInfo) => void) | undefined
}

/** Open MCP servers: the part of `McpServers` of `@parley/mcp` that a configuration uses. */
export interface OpenedServers {
  readonly servers: readonly ToolSource[]
  close(): Promise<unknown>
  onEvent(listener: (event: ResourceEvent) => void): unknown
}

/** Called with each event of the bus. */
export type EventHandler = (event: BusEvent) => void | Promise<void>

/** An event bus, as `createEventBus` makes it. */
export interface ConfigBus extends EventSink {
  subscribe(handler: EventHandler, options: ConfigSubscription): unknown
  close(): Promise<void>
}

/** Options of a subscriber in the file. */
export interface ConfigSubscription {
  readonly name: string
  readonly filter: {
    readonly types: readonly BusEventType[] | undefined
    readonly agent: string | undefined
    readonly scope: string | undefined
  }
  readonly capacity: number | undefined
  readonly overflow: 'dead-letter' | 'drop-oldest' | undefined
}

/** Traces of runs, as `openOtlp` makes them. */
export interface ConfigTracing extends AsyncDisposable {
  readonly middleware: Middleware
}

/** Loaded skills: the part of `SkillSet` of `@parley/tools/skills` that a configuration uses. */
export interface ConfigSkills {
  readonly instructions: readonly SystemPart[]
  readonly tools: readonly Tool[]
}

/** Functions that make the objects of the sections `mcpServers`, `bus`, `otel` and `skills`. */
export interface ConfigServices {
  /** Loads the service that opens the servers of `mcpServers`. @default none: a file with `mcpServers` is invalid */
  readonly mcp?: (() => Promise<McpService>) | undefined
  /** Creates the event bus of `bus`, without its subscribers. @default none: a file with `bus` is invalid */
  readonly bus?: ((options: Omit<BusData, 'subscribers'>) => Promise<ConfigBus>) | undefined
  /** Opens the traces of `otel`. @default none: a file with `otel` is invalid */
  readonly otel?: ((options: OtelData) => Promise<ConfigTracing>) | undefined
  /** Loads the folders that agents name in `skills`. @default none: a file with `skills` is invalid */
  readonly skills?: ((folders: readonly string[]) => Promise<ConfigSkills>) | undefined
}

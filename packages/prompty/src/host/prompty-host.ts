import type { Tool, ToolSource } from '@parley/core'
import type { PromptyConnection, PromptyTool } from '../format/prompty-agent.ts'
import type { PromptyFiles } from '../format/prompty-files.ts'
import type { ProviderConnection, ProviderFactory } from './prompty-provider.ts'

/** What files may ask of their host: nothing is reached that is not given here. */
export interface PromptyHost {
  /** Factories by `model.provider`. @default none */
  readonly providers?: Readonly<Record<string, ProviderFactory>> | undefined
  /**
   * Credentials for connections of kind `reference`, `remote` and `foundry` by their name, and for any other kind by that
   * kind; a file cannot grant them. @default none
   */
  readonly connections?: Readonly<Record<string, ConnectionSource>> | undefined
  /** Brings tools to life by their kind (`mcp`, `openapi`, …); `*` takes every kind that has none. @default none */
  readonly toolKinds?: Readonly<Record<string, ToolKindHandler>> | undefined
  /** Tools by name, for every run; those given to a run come first. @default none */
  readonly tools?: Readonly<Record<string, PromptyToolHandler>> | undefined
  /** What `${file:…}` and inputs that name files read. @default none */
  readonly files?: PromptyFiles | undefined
  /** What `${env:…}` reads. @default {} */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  /** Asks for tokens of `oauth` connections. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined
}

export type ConnectionSource =
  | ProviderConnection
  | ((connection: PromptyConnection) => ProviderConnection | Promise<ProviderConnection>)

/** What a tool's declaration becomes. A source is closed by whoever closes the agent. */
export type ToolKindHandler = (
  tool: PromptyTool,
  context: { readonly connection: ProviderConnection; readonly signal?: AbortSignal | undefined },
) => Tool | ToolSource | Promise<Tool | ToolSource>

/**
 * What runs a tool that a file declares. A bare function gets its arguments by position, in the order the file declares
 * the parameters; a tool gets them as one object, and what the file does not say of it (effect, permission, timeout) is
 * taken from the tool.
 */
export type PromptyToolHandler =
  | ((...values: never[]) => unknown)
  | (Pick<Tool, 'execute'> & Partial<Omit<Tool, 'name' | 'execute'>>)

import type { Tool, ToolSource } from '@parley/core'
import type { PromptyConnection, PromptyTool } from '../format/prompty-agent.ts'
import type { PromptyFiles } from '../format/prompty-files.ts'
import type { ProviderConnection, ProviderFactory } from './prompty-provider.ts'

/** The providers, tools, files and credentials that a program offers to prompt files. A file reaches nothing else. */
export interface PromptyHost {
  /** Provider factories, by `model.provider`. @default none */
  readonly providers?: Readonly<Record<string, ProviderFactory>> | undefined
  /**
   * Credentials for connections: by name for the kinds `reference`, `remote` and `foundry`, by kind for all others.
   * @default none
   */
  readonly connections?: Readonly<Record<string, ConnectionSource>> | undefined
  /** Makes tools by their kind (`mcp`, `openapi`, …). `*` handles every kind without a handler. @default none */
  readonly toolKinds?: Readonly<Record<string, ToolKindHandler>> | undefined
  /** Tools of every run, by name. Tools of a single run override them. @default none */
  readonly tools?: Readonly<Record<string, PromptyToolHandler>> | undefined
  /** Reads prompts, `${file:…}` references, and paths in inputs. @default none */
  readonly files?: PromptyFiles | undefined
  /** The variables that `${env:…}` reads. @default {} */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  /** Requests tokens for `oauth` connections. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** Credentials, or a function that returns them for a connection. */
export type ConnectionSource =
  | ProviderConnection
  | ((connection: PromptyConnection) => ProviderConnection | Promise<ProviderConnection>)

/** Makes a tool or a tool source from its declaration. Closing the agent closes the source. */
export type ToolKindHandler = (
  tool: PromptyTool,
  context: { readonly connection: ProviderConnection; readonly signal?: AbortSignal | undefined },
) => Tool | ToolSource | Promise<Tool | ToolSource>

/**
 * Runs a tool that a file declares. A plain function gets its arguments by position, in the order of the declared parameters. A
 * tool gets them as one object, and also sets what a file cannot declare: effect, permission and timeout.
 */
export type PromptyToolHandler =
  | ((...values: never[]) => unknown)
  | (Pick<Tool, 'execute'> & Partial<Omit<Tool, 'name' | 'execute'>>)

import type { McpAuth } from './mcp-auth.ts'
import type { McpToolOptions } from './mcp-tool-options.ts'

/** How to start or reach an MCP server. Plain data: `openMcpServer` checks it. */
export type McpServerDefinition = McpStdioDefinition | McpHttpDefinition

/** Options of every kind of server. */
export interface McpServerFields {
  /** 1 to 32 of the characters `A-Za-z0-9_-`. Part of every tool's name. */
  readonly name: string
  /** Milliseconds from start to the end of the handshake. @default 10_000 */
  readonly startupTimeoutMs?: number | undefined
  /** Milliseconds that one request may take, including a tool call. @default 60_000 */
  readonly callTimeoutMs?: number | undefined
  /**
   * Protocol revision. `legacy`: handshake by `initialize`, revisions up to 2025-11-25. `auto`: probes for 2026-07-28 and
   * falls back to `legacy`; a stdio server that exits on the probe is started again. `2026-07-28`: no other revision.
   * @default 'legacy'
   */
  readonly protocol?: 'legacy' | 'auto' | '2026-07-28' | undefined
  /** Tools to offer, and their names. @default all, as `mcp__<server>__<tool>` */
  readonly tools?: McpToolOptions | undefined
}

/** A server that runs as a child process and communicates over stdin and stdout. */
export interface McpStdioDefinition extends McpServerFields {
  readonly transport: 'stdio'
  /** Program to start: an absolute path, or a name that is looked up on PATH. No shell interprets it. */
  readonly command: string
  /** Arguments of the program. Every user of the machine can see them: put secrets into `env`. @default [] */
  readonly args?: readonly string[] | undefined
  /**
   * Environment variables, added to those that every server inherits: PATH, HOME, LANG, LC_ALL, TERM, TMPDIR, USER,
   * LOGNAME and SHELL. The server inherits nothing else. @default {}
   */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Working directory, as an absolute path. @default the directory of this process */
  readonly cwd?: string | undefined
}

/** A server behind a URL. `http` is Streamable HTTP, `sse` is the older transport that it replaced. */
export interface McpHttpDefinition extends McpServerFields {
  readonly transport: 'http' | 'sse'
  /** URL of the server, `http:` or `https:`. */
  readonly url: string
  /** Headers of every request, for example `authorization`. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * How to get authorization if the server requires it.
   * @default `{ grant: 'authorization-code' }`, or `{ grant: 'none' }` if `headers` has an `authorization`
   */
  readonly auth?: McpAuth | undefined
}

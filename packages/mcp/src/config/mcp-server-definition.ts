import type { McpAuth } from './mcp-auth.ts'
import type { McpToolOptions } from './mcp-tool-options.ts'

/** Where an MCP server is and how it is reached. Plain data: `openMcpServer` checks it. */
export type McpServerDefinition = McpStdioDefinition | McpHttpDefinition

/** What every kind of server takes. */
export interface McpServerFields {
  /** 1 to 32 of `[A-Za-z0-9_-]`. Part of every tool's name. */
  readonly name: string
  /** Milliseconds from start to the end of the handshake. @default 10_000 */
  readonly startupTimeoutMs?: number | undefined
  /** Milliseconds one request may take, a tool call included. @default 60_000 */
  readonly callTimeoutMs?: number | undefined
  /**
   * Which protocol is spoken: `legacy` shakes hands by `initialize` (revisions up to 2025-11-25); `auto` asks for
   * 2026-07-28 first and falls back, which a stdio server that dies of being asked is started a second time for;
   * `2026-07-28` accepts nothing else. @default 'legacy'
   */
  readonly protocol?: 'legacy' | 'auto' | '2026-07-28' | undefined
  /** Which of the server's tools are offered, and under which names. @default all, as `mcp__<server>__<tool>` */
  readonly tools?: McpToolOptions | undefined
}

/** A server that is a child process, spoken to over its stdin and stdout. */
export interface McpStdioDefinition extends McpServerFields {
  readonly transport: 'stdio'
  /** An absolute path, or a name looked up on PATH. No shell reads it. */
  readonly command: string
  /** Visible to every user of the machine: keep secrets in `env`. @default [] */
  readonly args?: readonly string[] | undefined
  /**
   * Added to what a server always gets when it exists: PATH, HOME, LANG, LC_ALL, TERM, TMPDIR, USER, LOGNAME, SHELL.
   * Nothing else of this process's environment reaches it. @default {}
   */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Absolute. @default the directory of this process */
  readonly cwd?: string | undefined
}

/** A server behind a URL: `http` is Streamable HTTP, `sse` the transport it replaced. */
export interface McpHttpDefinition extends McpServerFields {
  readonly transport: 'http' | 'sse'
  /** `http:` or `https:`. */
  readonly url: string
  /** Sent with every request, an `authorization` header for one. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * What is done when the server wants to know who asks. @default `{ grant: 'authorization-code' }`, or
   * `{ grant: 'none' }` when `headers` has an `authorization`
   */
  readonly auth?: McpAuth | undefined
}

import type { Transport } from '@modelcontextprotocol/client'

/** The link to one server: a process or a URL. A restart makes a new link. */
export interface ServerLink {
  readonly transport: Transport
  /** Process id of a child process. `undefined` for a server behind a URL. */
  readonly pid: number | undefined
  /** Returns the last 4 KiB of a child process's stderr; `''` for a server behind a URL. */
  readonly stderr: () => string
  /** Resolves when the child process has ended. Absent for a server behind a URL: only a request notices its end. */
  readonly ended?: Promise<unknown> | undefined
  /** Describes why the server ended or does not answer, in one line without secrets. */
  readonly describe: () => string
  /** Replaces the secrets of the definition: of headers, of the URL's query, or of the environment. */
  readonly redact: (text: string) => string
  /** Stops the server. @param graceMs Milliseconds between the steps: closing stdin, SIGTERM, SIGKILL. */
  readonly stop: (graceMs?: number) => Promise<McpStopReport>
}

/** How a server stopped. */
export interface McpStopReport {
  /**
   * `exited`: by itself or after its stdin was closed. `terminated`: after SIGTERM. `killed`: after SIGKILL.
   * `disconnected`: a server behind a URL, which keeps running. `not-running`: no process was running.
   */
  readonly outcome: 'exited' | 'terminated' | 'killed' | 'disconnected' | 'not-running'
  /** Exit code of the child process. Absent if a signal ended it or the server is behind a URL. */
  readonly exitCode?: number | undefined
  /** The signal that ended the process. Absent if no signal did. */
  readonly signal?: string | undefined
}

import type { Transport } from '@modelcontextprotocol/client'

/** One way to one server, from start to end; a restart makes another. */
export interface ServerLink {
  readonly transport: Transport
  /** Of a child process. */
  readonly pid: number | undefined
  /** The last 4 KiB of a child process's stderr, `''` for others. */
  readonly stderr: () => string
  /** Resolves when a child process has ended; absent for others, whose end only a request can notice. */
  readonly ended?: Promise<unknown> | undefined
  /** Why it ended or does not answer, in one line without secrets. */
  readonly describe: () => string
  /** @param graceMs Milliseconds between the steps of the stop. */
  readonly stop: (graceMs?: number) => Promise<McpStopReport>
}

/** How a server came to its end. */
export interface McpStopReport {
  /**
   * `exited`: by itself, or when its stdin was closed. `terminated`: after SIGTERM. `killed`: after SIGKILL.
   * `disconnected`: a server behind a URL, which lives on. `not-running`: there was nothing to stop.
   */
  readonly outcome: 'exited' | 'terminated' | 'killed' | 'disconnected' | 'not-running'
  /** Absent when a signal ended it or when it is no child process. */
  readonly exitCode?: number | undefined
  /** What ended it, when a signal did. */
  readonly signal?: string | undefined
}

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

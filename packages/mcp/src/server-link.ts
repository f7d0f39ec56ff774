import type { Transport } from '@modelcontextprotocol/client'
import type { McpStopReport } from './mcp-stop-report.ts'

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

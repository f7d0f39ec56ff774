import { createAgentClient, type AgentClient } from '@parley/agent-api'
import { createRunsClient, type RunsClient } from '@parley/runs-api'
import type { NamedServer } from '../flags/server-flag.ts'
import type { RenderMode } from '../render/render-run.ts'
import type { Terminal } from '../render/terminal.ts'

/** The server, the terminal and the output mode of a command with `--server`. */
export interface RemoteOptions {
  readonly client: AgentClient
  readonly server: string
  readonly terminal: Terminal
  readonly mode: RenderMode
  /** How the user calls the CLI. */
  readonly command: string
}

/** Creates the client of the server that the flags name. */
export function openServerClient({ server, key }: NamedServer): AgentClient {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  return createAgentClient({ baseUrl: server, headers })
}

/** Creates the client of the Runs API of the server that the flags name. */
export function openRunsClient({ server, key }: NamedServer): RunsClient {
  return createRunsClient({ baseUrl: server, key })
}

/**
 * Whether this is the id of a response of the Agent API, as `parley run --server` prints it. A key reaches its responses
 * without access to the Runs API.
 */
export function isResponseId(wanted: string): boolean {
  return wanted.startsWith('response_')
}

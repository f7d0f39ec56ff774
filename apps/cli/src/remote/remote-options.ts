import { createAgentClient, type AgentClient } from '@parley/agent-api'
import { ParleyError } from '@parley/core'
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

/** Checks the id of a response. @throws ParleyError `config-invalid` for `last`, because a server lists no runs. */
export function toResponseId(wanted: string | undefined): string {
  if (wanted !== undefined && wanted !== 'last') return wanted
  const detail =
    'requires an id with --server, because the server does not list runs; `parley run --server` prints the id'
  throw new ParleyError({ code: 'config-invalid', path: 'run', detail })
}

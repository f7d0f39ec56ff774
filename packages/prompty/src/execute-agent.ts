import { createPrompty, type PromptySource } from './create-prompty.ts'
import type { PromptyHost } from './host/prompty-host.ts'
import type { ExecuteOptions } from './run/execute-agent.ts'

/** Options of `executeAgent`: those of the run, and what the host gives to it. */
export type ExecuteAgentOptions = ExecuteOptions & Omit<PromptyHost, 'tools'>

/** Runs a file in agent mode, without `createPrompty`. Returns and throws what `executeAgent` of `createPrompty` does. */
export async function executeAgent(source: PromptySource, options: ExecuteAgentOptions = {}): Promise<unknown> {
  const { providers, connections, toolKinds, files, environment, fetch, ...run } = options
  const host = { providers, connections, toolKinds, files, environment, fetch }
  return await createPrompty(host).executeAgent(source, run)
}

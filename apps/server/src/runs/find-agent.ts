import { notFound } from '../problem/problem.ts'
import type { ServerContext } from '../state/server-context.ts'

/** Checks the agent that an address names. @throws Problem 404 if the server does not offer it. */
export function checkAgent({ agents }: ServerContext, name: string): void {
  if (!agents.names.includes(name)) throw notFound('agent')
}

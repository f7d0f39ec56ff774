import type { ModelSettings } from '@parley/core'
import type { RunChanges } from '@parley/runs-api'
import { notFound } from '../../problem/problem.ts'
import type { RunsRequest } from './runs-route.ts'

/** The changes that a request names, as options of a run. @throws Problem 404 for an agent that the server does not offer. */
export function changesOf(
  { server }: Pick<RunsRequest, 'server'>,
  { agent, model, instructions, settings }: RunChanges,
): RunChanges & { readonly settings?: ModelSettings | undefined } {
  if (agent !== undefined && !server.agents.names.includes(agent)) throw notFound('agent')
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(model === undefined ? {} : { model }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(settings === undefined ? {} : { settings }),
  }
}

import type { AgentInfo, RunsApiInfo } from '@parley/runs-api'
import { hasAccess } from '../../access/runs-access.ts'
import { defineRunsRoute, type RunsRequest } from './runs-route.ts'
import { toAgentInfo, toolsOf } from './describe-agent.ts'

/** What the server offers: capabilities, agents and tools. */
export const INFO_ROUTES = [
  defineRunsRoute({
    method: 'get',
    path: '/runs-api',
    access: 'viewer',
    summary: 'Get what the server offers to this client.',
    answer: 'RunsApiInfo',
    handle: async request => infoOf(request),
  }),
  defineRunsRoute({
    method: 'get',
    path: '/agents',
    access: 'viewer',
    summary: 'List the agents that this server runs.',
    answer: 'A list of AgentInfo.',
    handle: async ({ server }): Promise<{ agents: AgentInfo[] }> => ({
      agents: server.agents.names.map(name => toAgentInfo(server.agents.get(name))),
    }),
  }),
  defineRunsRoute({
    method: 'get',
    path: '/tools',
    access: 'viewer',
    summary: 'List the tools of the agents.',
    answer: 'ToolList',
    handle: async ({ server: { agents, runtime } }) =>
      toolsOf(
        agents.names.map(name => agents.get(name)),
        runtime.tools,
      ),
  }),
]

function infoOf({ server, client }: RunsRequest): RunsApiInfo {
  const { store, agents } = server
  const { name, scope, principal, access = 'viewer' } = client
  return {
    version: 1,
    client: name,
    access,
    roles: principal?.roles ?? [],
    scope,
    canRun: agents.names.length > 0 && hasAccess(access, 'operator'),
    store: {
      inbox: store.inbox !== undefined,
      prune: store.prune !== undefined,
      reports: store.reports !== undefined,
      deadLetters: store.deadLetters !== undefined,
      workflows: store.workflows !== undefined,
      notes: store.notes !== undefined,
    },
  }
}

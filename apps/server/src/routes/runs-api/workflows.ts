import { parseWorkflow, workflowGraph, workflowOf } from '@parley/workflow'
import type { WorkflowInfo } from '@parley/runs-api'
import { defineRunsRoute, type RunsRequest } from './runs-route.ts'

/** The workflows that the server runs, and those saved in the client's scope. */
export const WORKFLOW_ROUTES = [
  defineRunsRoute({
    method: 'get',
    path: '/workflows',
    access: 'viewer',
    summary: 'List workflows as graphs.',
    answer: 'A list of WorkflowInfo.',
    handle: async (request): Promise<{ workflows: readonly WorkflowInfo[] }> => ({ workflows: await listed(request) }),
  }),
]

async function listed({ server, client }: RunsRequest): Promise<readonly WorkflowInfo[]> {
  const { agents, store } = server
  const found = new Map<string, WorkflowInfo>()
  for (const saved of (await store.workflows?.list({ scope: client.scope })) ?? []) {
    const workflow = parseWorkflow(saved.definition)
    const { name, description } = workflow
    found.set(name, { name, description, version: saved.version, ...workflowGraph(workflow) })
  }
  for (const name of agents.names) {
    const workflow = workflowOf(agents.get(name))
    if (workflow === undefined) continue
    const { description } = workflow
    found.set(name, { ...found.get(name), name, description, ...workflowGraph(workflow) })
  }
  return [...found.values()]
}

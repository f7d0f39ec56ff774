import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { infoQuery, newestRunsQuery, workflowsQuery } from '../../client/queries.ts'
import { Button } from '../../elements/button.tsx'
import { Empty } from '../../elements/empty.tsx'
import { Fault } from '../../elements/fault.tsx'
import { shortId } from '../../elements/figures.ts'
import { StartDialog } from './start-dialog.tsx'

const WorkflowGraph = lazy(async () => ({ default: (await import('./workflow-graph.tsx')).WorkflowGraph }))

/** The workflows of the server as graphs, with the state of each step in a run. */
export function WorkflowsPage() {
  const view = useSearch({ from: '/workflows' })
  const navigate = useNavigate()
  const list = useQuery(workflowsQuery)
  const info = useQuery(infoQuery)
  const [isStarting, setStarting] = useState(false)
  const workflow = list.data?.find(each => each.name === view.name) ?? list.data?.[0]
  const runs = useQuery({ ...newestRunsQuery({ agent: workflow?.name }), enabled: workflow !== undefined })
  const mayRun = info.data !== undefined && info.data.access !== 'viewer' && info.data.canRun
  return (
    <div className="page tall">
      <div className="row spread">
        <h1>Workflows</h1>
        {workflow !== undefined && mayRun ? (
          <Button kind="first" onPress={() => setStarting(true)}>
            Start
          </Button>
        ) : null}
      </div>
      {list.error === null ? null : <Fault error={list.error} retry={() => void list.refetch()} />}
      {list.data !== undefined && workflow === undefined ? (
        <Empty title="The server has no workflow">
          Give the runtime a workflow agent, or save one with <code>parley workflow save FILE</code>.
        </Empty>
      ) : null}
      {workflow === undefined ? null : (
        <>
          <div className="filters">
            <label className="field">
              <span className="label">Workflow</span>
              <select
                value={workflow.name}
                onChange={event => void navigate({ to: '/workflows', search: { name: event.target.value } })}
              >
                {(list.data ?? []).map(({ name }) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <label className="field">
              <span className="label">Steps of the run</span>
              <select
                value={view.run ?? ''}
                onChange={event => {
                  const run = event.target.value === '' ? undefined : event.target.value
                  void navigate({ to: '/workflows', search: { name: workflow.name, run } })
                }}
              >
                <option value="">none</option>
                {(runs.data?.runs ?? []).map(run => (
                  <option key={run.runId} value={run.runId}>
                    {shortId(run.runId)} · {run.status}
                  </option>
                ))}
              </select>
            </label>
          </div>
          {workflow.description === undefined ? null : <p className="quiet">{workflow.description}</p>}
          <Suspense fallback={<p className="quiet">Loading the graph …</p>}>
            <WorkflowGraph key={workflow.name} workflow={workflow} runId={view.run} />
          </Suspense>
        </>
      )}
      {isStarting && workflow !== undefined ? (
        <StartDialog workflow={workflow} onClose={() => setStarting(false)} />
      ) : null}
    </div>
  )
}

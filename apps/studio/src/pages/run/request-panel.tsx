import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { requestQuery } from '../../client/queries.ts'
import { statusOf } from '../../client/status-of.ts'
import { Diff } from '../../elements/diff.tsx'
import { Empty } from '../../elements/empty.tsx'
import { Fault } from '../../elements/fault.tsx'
import { JsonView } from '../../elements/json.tsx'

export interface RequestPanelProps {
  readonly runId: string
  readonly turn: number
  readonly isKept: boolean
}

/** The exact request of a model call, and what differs from the one before. */
export function RequestPanel({ runId, turn, isKept }: RequestPanelProps) {
  const [isDiff, setDiff] = useState(false)
  const request = useQuery({ ...requestQuery(runId, turn), enabled: isKept })
  const before = useQuery({ ...requestQuery(runId, turn - 1), enabled: isKept && isDiff && turn > 1 })
  if (!isKept || statusOf(request.error) === 404) {
    return (
      <Empty title="The journal does not keep this request">
        Set <code>captureRequests</code> of the runtime to keep the exact request of every model call of later runs.
      </Empty>
    )
  }
  if (request.error !== null) return <Fault error={request.error} />
  if (request.data === undefined) return <p className="quiet">Loading …</p>
  const after = pretty(request.data.request)
  return (
    <div className="stack">
      {turn > 1 ? (
        <label className="row">
          <input type="checkbox" checked={isDiff} onChange={event => setDiff(event.target.checked)} />
          Compare with turn {turn - 1}
        </label>
      ) : null}
      {isDiff && before.data !== undefined ? (
        <Diff
          name={`Changes of the request since turn ${turn - 1}`}
          before={pretty(before.data.request)}
          after={after}
        />
      ) : (
        <JsonView value={after} name={`Request of turn ${turn}`} />
      )}
    </div>
  )
}

function pretty(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
}

import type { ApprovalItem } from '@parley/runs-api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { approvalsQuery } from '../../client/queries.ts'
import { Empty } from '../../elements/empty.tsx'
import { Fault } from '../../elements/fault.tsx'
import { ApprovalCard } from './approval-card.tsx'

/** Everything that waits for a decision. */
export function ApprovalsPage() {
  const list = useQuery(approvalsQuery)
  const [role, setRole] = useState('')
  const all = list.data?.approvals ?? []
  const roles = [...new Set(all.flatMap(approval => approval.roles ?? []))].sort()
  const shown = role === '' ? all : all.filter(approval => approval.roles?.includes(role) === true)
  return (
    <div className="page">
      <div className="row spread">
        <h1>Approvals</h1>
        <span className="quiet" role="status">
          {list.isPending ? 'Loading …' : `${all.length} pending`}
        </span>
      </div>
      {roles.length === 0 ? null : (
        <label className="row">
          Role
          <select value={role} onChange={event => setRole(event.target.value)}>
            <option value="">any</option>
            {roles.map(name => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {list.error === null ? null : <Fault error={list.error} retry={() => void list.refetch()} />}
      {list.data !== undefined && shown.length === 0 ? (
        <Empty title="Nothing waits for a decision">
          A tool with the permission <code>ask</code> appears here when a model calls it.
        </Empty>
      ) : (
        <div className="stack">
          {shown.map((approval: ApprovalItem) => (
            <ApprovalCard key={approval.approvalId} approval={approval} hasLink />
          ))}
        </div>
      )}
    </div>
  )
}

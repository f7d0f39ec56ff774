import type { RunDetail } from '@parley/runs-api'
import { ApprovalCard } from '../approvals/approval-card.tsx'

/** What the run waits for, with the buttons that decide it. */
export function PendingRequests({ run }: { readonly run: RunDetail }) {
  if (run.approvals.length === 0 && run.clientCalls.length === 0) return null
  return (
    <section className="stack" aria-label="The run waits for">
      {run.approvals.map(approval => (
        <ApprovalCard key={approval.approvalId} approval={approval} />
      ))}
      {run.clientCalls.map(call => (
        <p key={call.requestId} className="card">
          <code>{call.name}</code> waits for a result of the client.
        </p>
      ))}
    </section>
  )
}

import type { Entry } from '@parley/core'
import type { ForkCall, ForkPlan, ForkRequest } from '@parley/runs-api'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { runsClient } from '../../../client/studio-client.ts'
import { Fault } from '../../../elements/fault.tsx'
import { ChangeFields, changesOf } from './change-fields.tsx'
import { textField } from '../../../elements/form-values.ts'
import { VerbDialog } from './verb-dialog.tsx'

export interface ForkDialogProps {
  readonly runId: string
  /** The last entry that the fork keeps. */
  readonly entry: Entry
  readonly onClose: () => void
}

/** Starts a run that continues from an entry of another, with changes. Says before which calls it keeps. */
export function ForkDialog({ runId, entry, onClose }: ForkDialogProps) {
  const navigate = useNavigate()
  const [callId, setCallId] = useState('')
  const [isTyped, setTyped] = useState(false)
  const request: ForkRequest = { at: entry.seq, ...(callId === '' ? {} : { results: [{ callId, content: 'x' }] }) }
  const plan = useQuery({
    queryKey: ['fork-plan', runId, request],
    queryFn: ({ signal }) => runsClient().planFork(runId, request, { signal }),
    retry: false,
  })
  const results = [...(plan.data?.kept ?? []), ...(plan.data?.replaced ?? [])]
  const needsInput = plan.data?.needsInput === true
  return (
    <VerbDialog
      title={`Fork from entry ${entry.seq}`}
      verb="Fork"
      isDisabled={plan.data === undefined || plan.data.refusal !== undefined || (needsInput && !isTyped)}
      act={fields => runsClient().fork(runId, forkRequest(entry.seq, callId, fields))}
      done={({ runId: forked }) => void navigate({ to: '/runs/$runId', params: { runId: forked } })}
      onClose={onClose}
    >
      {plan.error === null ? null : <Fault error={plan.error} />}
      {plan.data === undefined ? null : <Plan plan={plan.data} />}
      <label className="field">
        <span className="label">{needsInput ? 'Message of the user (required here)' : 'Message of the user'}</span>
        <textarea name="input" rows={2} onChange={event => setTyped(event.target.value.trim() !== '')} />
      </label>
      {results.length === 0 ? null : (
        <label className="field">
          <span className="label">Replace the result of</span>
          <select value={callId} onChange={event => setCallId(event.target.value)}>
            <option value="">no call</option>
            {results.map(call => (
              <option key={call.callId} value={call.callId}>
                {call.name} ({call.callId})
              </option>
            ))}
          </select>
        </label>
      )}
      {callId === '' ? null : (
        <label className="field">
          <span className="label">Result that the model reads</span>
          <textarea name="result" rows={3} className="code" required />
        </label>
      )}
      <ChangeFields />
    </VerbDialog>
  )
}

function forkRequest(at: number, callId: string, fields: FormData): ForkRequest {
  const content = textField(fields, 'result') ?? ''
  return {
    at,
    input: textField(fields, 'input'),
    ...changesOf(fields),
    ...(callId === '' ? {} : { results: [{ callId, content }] }),
  }
}

function Plan({ plan }: { readonly plan: ForkPlan }) {
  if (plan.refusal !== undefined) {
    return (
      <p className="fault" role="alert">
        {plan.refusal}
      </p>
    )
  }
  return (
    <ul className="plan small">
      <Calls calls={plan.kept} text="keeps its result and does not run again" />
      <Calls calls={plan.replaced} text="gets another result and does not run" />
      <Calls calls={plan.open} text="has no result here; the model reads that it did not end" />
      <Calls calls={plan.again} text="runs again if the model makes the call again" />
    </ul>
  )
}

function Calls({ calls, text }: { readonly calls: readonly ForkCall[]; readonly text: string }) {
  return calls.map(call => (
    <li key={call.callId}>
      <code>{call.name}</code>
      {call.effect === undefined ? '' : ` (${call.effect})`} {text}.
    </li>
  ))
}

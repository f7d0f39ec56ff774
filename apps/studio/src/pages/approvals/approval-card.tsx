import type { ApprovalItem, DecideRequest, WaitingApproval } from '@parley/runs-api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { runsClient } from '../../client/studio-client.ts'
import { Button } from '../../elements/button.tsx'
import { Diff } from '../../elements/diff.tsx'
import { Facts } from '../../elements/facts.tsx'
import { Fault } from '../../elements/fault.tsx'
import { JsonView } from '../../elements/json.tsx'

export interface ApprovalCardProps {
  readonly approval: WaitingApproval | ApprovalItem
  /** Whether the card links to its run. */
  readonly hasLink?: boolean | undefined
}

type Mode = 'look' | 'edit' | 'reject' | 'escalate'
type Decision = DecideRequest['decision']

/** A call that waits for a decision, and every way to decide it. */
export function ApprovalCard({ approval, hasLink = false }: ApprovalCardProps) {
  const [mode, setMode] = useState<Mode>('look')
  const queries = useQueryClient()
  const request = useMutation({
    mutationFn: (decision: Decision) => runsClient().decide(approval.approvalId, { decision, runId: approval.runId }),
    onSettled: () => queries.invalidateQueries(),
  })
  const mayDecide = !('canDecide' in approval) || approval.canDecide
  return (
    <article className="approval card stack" aria-label={`Approval of ${approval.name}`}>
      <div className="row spread">
        <h2>
          <code>{approval.name}</code>
        </h2>
        {hasLink ? (
          <Link to="/runs/$runId" params={{ runId: approval.runId }}>
            {'preview' in approval && approval.preview !== undefined ? approval.preview : 'Open the run'}
          </Link>
        ) : null}
      </div>
      <p>{approval.prompt}</p>
      <Facts
        facts={[
          ['Agent', 'agent' in approval ? approval.agent : undefined],
          ['Roles', approval.roles?.join(', ')],
          ['Expires', approval.expiresAt === undefined ? undefined : new Date(approval.expiresAt).toLocaleString()],
          [
            'Asked',
            'requestedAt' in approval && approval.requestedAt !== undefined
              ? new Date(approval.requestedAt).toLocaleString()
              : undefined,
          ],
        ]}
      />
      {mode === 'edit' ? null : <JsonView value={approval.input} name={`Arguments of ${approval.name}`} />}
      {request.error === null ? null : <Fault error={request.error} />}
      {mayDecide ? (
        <Deciding {...{ approval, mode, setMode }} isBusy={request.isPending} decide={request.mutate} />
      ) : (
        <p className="quiet">
          This key may not decide: it needs the access operator
          {approval.roles === undefined ? '' : ` and one of the roles ${approval.roles.join(', ')}`}.
        </p>
      )}
    </article>
  )
}

interface DecidingProps {
  readonly approval: WaitingApproval
  readonly mode: Mode
  readonly setMode: (mode: Mode) => void
  readonly isBusy: boolean
  readonly decide: (decision: Decision) => void
}

function Deciding({ approval, mode, setMode, isBusy, decide }: DecidingProps) {
  if (mode === 'edit') return <EditForm {...{ approval, isBusy, decide }} back={() => setMode('look')} />
  if (mode === 'reject') {
    return (
      <TextForm
        label="Reason, which the model reads"
        verb="Reject"
        isBusy={isBusy}
        back={() => setMode('look')}
        send={reason => decide({ type: 'rejected', reason })}
      />
    )
  }
  if (mode === 'escalate') {
    return (
      <TextForm
        label="Roles that decide instead, with commas"
        verb="Escalate"
        isBusy={isBusy}
        back={() => setMode('look')}
        send={text =>
          decide({
            type: 'escalated',
            roles: text
              .split(',')
              .map(role => role.trim())
              .filter(Boolean),
          })
        }
      />
    )
  }
  return (
    <div className="row">
      <Button kind="first" isDisabled={isBusy} onPress={() => decide({ type: 'approved' })}>
        Approve
      </Button>
      <Button isDisabled={isBusy} onPress={() => setMode('reject')}>
        Reject
      </Button>
      <Button isDisabled={isBusy} onPress={() => setMode('edit')}>
        Edit
      </Button>
      <Button isDisabled={isBusy} onPress={() => setMode('escalate')}>
        Escalate
      </Button>
    </div>
  )
}

interface TextFormProps {
  readonly label: string
  readonly verb: string
  readonly isBusy: boolean
  readonly send: (text: string) => void
  readonly back: () => void
}

function TextForm({ label, verb, isBusy, send, back }: TextFormProps) {
  const [text, setText] = useState('')
  return (
    <form
      className="stack"
      onSubmit={event => {
        event.preventDefault()
        send(text)
      }}
    >
      <label className="field">
        <span className="label">{label}</span>
        <input value={text} onChange={event => setText(event.target.value)} required autoComplete="off" />
      </label>
      <div className="row">
        <Button kind="first" type="submit" isDisabled={isBusy}>
          {verb}
        </Button>
        <Button onPress={back}>Back</Button>
      </div>
    </form>
  )
}

type EditFormProps = Pick<DecidingProps, 'approval' | 'isBusy' | 'decide'> & { readonly back: () => void }

function EditForm({ approval, isBusy, decide, back }: EditFormProps) {
  const before = JSON.stringify(approval.input, undefined, 2)
  const [text, setText] = useState(before)
  const [fault, setFault] = useState<string>()
  return (
    <form
      className="stack"
      onSubmit={event => {
        event.preventDefault()
        try {
          decide({ type: 'modified', input: JSON.parse(text) })
        } catch (error) {
          setFault(error instanceof Error ? error.message : String(error))
        }
      }}
    >
      <label className="field">
        <span className="label">Arguments, as JSON</span>
        <textarea
          className="code"
          rows={Math.min(16, before.split('\n').length + 1)}
          value={text}
          spellCheck={false}
          onChange={event => {
            setText(event.target.value)
            setFault(undefined)
          }}
        />
      </label>
      {fault === undefined ? null : <p role="alert">The arguments are not JSON: {fault}</p>}
      {text === before ? null : <Diff before={before} after={text} name="Changes of the arguments" />}
      <div className="row">
        <Button kind="first" type="submit" isDisabled={isBusy || text === before}>
          Approve the changed call
        </Button>
        <Button onPress={back}>Back</Button>
      </div>
    </form>
  )
}

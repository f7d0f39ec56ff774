import type { RunDetail, RunsAccess } from '@parley/runs-api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { runsClient } from '../../../client/studio-client.ts'
import { Button } from '../../../elements/button.tsx'
import { Fault } from '../../../elements/fault.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { MessageDialog } from './message-dialog.tsx'
import { RerunDialog } from './rerun-dialog.tsx'
import { TestDialog } from './test-dialog.tsx'

export interface VerbBarProps {
  readonly run: RunDetail
  readonly access: RunsAccess
}

type Shown = 'rerun' | 'steer' | 'follow-up' | 'cancel' | 'prune' | 'test' | undefined

/** What can be done with a run, by its state and by what this key may do. */
export function VerbBar({ run, access }: VerbBarProps) {
  const [shown, setShown] = useState<Shown>()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { runId, status } = run
  const close = (): void => setShown(undefined)
  const isOpen = status === 'running' || status === 'suspended'
  const mayAct = access !== 'viewer'
  const resume = useMutation({
    mutationFn: () => runsClient().resume(runId),
    onSettled: () => queries.invalidateQueries(),
  })
  return (
    <>
      <div className="row" role="group" aria-label="Verbs">
        {mayAct && status === 'running' ? <Button onPress={() => setShown('steer')}>Steer</Button> : null}
        {mayAct && isOpen ? <Button onPress={() => setShown('follow-up')}>Follow up</Button> : null}
        {mayAct && isOpen ? (
          <Button onPress={() => resume.mutate()} isDisabled={resume.isPending}>
            Resume
          </Button>
        ) : null}
        {mayAct ? <Button onPress={() => setShown('rerun')}>Run again</Button> : null}
        <Button onPress={() => setShown('test')}>Copy as test</Button>
        {mayAct && isOpen ? (
          <Button kind="danger" onPress={() => setShown('cancel')}>
            Cancel
          </Button>
        ) : null}
        {access === 'admin' && !isOpen ? (
          <Button kind="danger" onPress={() => setShown('prune')}>
            Delete
          </Button>
        ) : null}
      </div>
      {resume.error === null ? null : <Fault error={resume.error} />}
      {shown === 'steer' || shown === 'follow-up' ? <MessageDialog runId={runId} kind={shown} onClose={close} /> : null}
      {shown === 'rerun' ? <RerunDialog runId={runId} onClose={close} /> : null}
      {shown === 'test' ? <TestDialog runId={runId} onClose={close} /> : null}
      {shown === 'cancel' ? (
        <ConfirmDialog
          title="Cancel the run"
          verb="Cancel the run"
          text="The run ends as cancelled. Tools that are at work are told to stop; what they have already done stays."
          act={() => runsClient().cancel(runId)}
          done={close}
          onClose={close}
        />
      ) : null}
      {shown === 'prune' ? (
        <ConfirmDialog
          title="Delete the run"
          verb="Delete the run"
          text="The run and its journal are removed from the store. This cannot be undone."
          act={() => deleteRun(runId)}
          done={() => navigate({ to: '/', search: {} })}
          onClose={close}
        />
      ) : null}
    </>
  )
}

async function deleteRun(runId: string): Promise<void> {
  const { pruned } = await runsClient().prune(runId)
  if (!pruned) throw new Error('Another run continues this run, so its journal is still needed. Delete that run first.')
}

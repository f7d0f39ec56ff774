import { runsClient } from '../../../client/studio-client.ts'
import { textField } from '../../../elements/form-values.ts'
import { VerbDialog } from './verb-dialog.tsx'

export interface MessageDialogProps {
  readonly runId: string
  readonly kind: 'steer' | 'follow-up'
  readonly onClose: () => void
}

/** Sends a message to a run that works. */
export function MessageDialog({ runId, kind, onClose }: MessageDialogProps) {
  const isSteering = kind === 'steer'
  return (
    <VerbDialog
      title={isSteering ? 'Steer the run' : 'Follow up'}
      verb="Send"
      act={fields => {
        const message = textField(fields, 'message') ?? ''
        return isSteering ? runsClient().steer(runId, { message }) : runsClient().followUp(runId, { message })
      }}
      done={onClose}
      onClose={onClose}
    >
      <p className="quiet">
        {isSteering
          ? 'The model reads the message before its next answer.'
          : 'The model reads the message after this answer.'}
      </p>
      <label className="field">
        <span className="label">Message</span>
        <textarea name="message" rows={3} required />
      </label>
    </VerbDialog>
  )
}

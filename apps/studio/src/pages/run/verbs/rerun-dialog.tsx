import { useNavigate } from '@tanstack/react-router'
import { runsClient } from '../../../client/studio-client.ts'
import { ChangeFields, changesOf } from './change-fields.tsx'
import { textField } from '../../../elements/form-values.ts'
import { VerbDialog } from './verb-dialog.tsx'

/** Repeats a run from its input, once or several times, with changes. */
export function RerunDialog({ runId, onClose }: { readonly runId: string; readonly onClose: () => void }) {
  const navigate = useNavigate()
  return (
    <VerbDialog
      title="Run again"
      verb="Run again"
      act={fields =>
        runsClient().rerun(runId, {
          times: Number(textField(fields, 'times') ?? '1'),
          input: textField(fields, 'input'),
          ...changesOf(fields),
        })
      }
      done={({ runs }) => void navigate({ to: '/compare', search: { runs: [runId, ...runs.map(run => run.runId)] } })}
      onClose={onClose}
    >
      <p className="quiet">Every tool call of the new runs is executed. To keep results, fork from an entry.</p>
      <label className="field">
        <span className="label">How many times (1 to 10)</span>
        <input name="times" type="number" min={1} max={10} defaultValue={1} required />
      </label>
      <label className="field">
        <span className="label">Another input</span>
        <textarea name="input" rows={2} placeholder="the same" />
      </label>
      <ChangeFields />
    </VerbDialog>
  )
}

import type { WorkflowInfo } from '@parley/runs-api'
import { useNavigate } from '@tanstack/react-router'
import { runsClient } from '../../client/studio-client.ts'
import { textField } from '../../elements/form-values.ts'
import { VerbDialog } from '../run/verbs/verb-dialog.tsx'
import { readValues, toFormFields, type FormField } from './form-fields.ts'

export interface StartDialogProps {
  readonly workflow: WorkflowInfo
  readonly onClose: () => void
}

/** Starts a workflow with a form made from the schema of its inputs. */
export function StartDialog({ workflow, onClose }: StartDialogProps) {
  const navigate = useNavigate()
  const fields = toFormFields(workflow.inputSchema)
  return (
    <VerbDialog
      title={`Start ${workflow.name}`}
      verb="Start"
      act={form =>
        runsClient().start({
          agent: workflow.name,
          input: textField(form, 'message') ?? 'go',
          variables: readValues(fields, form),
        })
      }
      done={({ runId }) => {
        onClose()
        void navigate({ to: '/workflows', search: { name: workflow.name, run: runId } })
      }}
      onClose={onClose}
    >
      {fields.map(field => (
        <Field key={field.name} field={field} />
      ))}
      <label className="field">
        <span className="label">Message of the user, which steps read as input</span>
        <input name="message" placeholder="go" autoComplete="off" />
      </label>
    </VerbDialog>
  )
}

function Field({ field }: { readonly field: FormField }) {
  const { name, kind, isRequired, description, options, initial } = field
  const common = { name: `field-${name}`, required: isRequired, defaultValue: initial }
  return (
    <label className="field">
      <span className="label">
        {name}
        {isRequired ? ' (required)' : ''}
        {description === undefined ? '' : `: ${description}`}
      </span>
      {kind === 'choice' || kind === 'boolean' ? (
        <select {...common}>
          {isRequired ? null : <option value="">–</option>}
          {options.map(option => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      ) : kind === 'json' ? (
        <textarea {...common} rows={3} className="code" placeholder="JSON" />
      ) : (
        <input {...common} type={kind === 'number' ? 'number' : 'text'} step="any" autoComplete="off" />
      )}
    </label>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { runsClient } from '../../../client/studio-client.ts'
import { Button } from '../../../elements/button.tsx'
import { Dialog } from '../../../elements/dialog.tsx'
import { Fault } from '../../../elements/fault.tsx'
import { JsonView } from '../../../elements/json.tsx'

/** Shows a Vitest file that repeats the run. */
export function TestDialog({ runId, onClose }: { readonly runId: string; readonly onClose: () => void }) {
  const [said, setSaid] = useState('')
  const test = useQuery({
    queryKey: ['as-test', runId],
    queryFn: ({ signal }) => runsClient().asTest(runId, { signal }),
  })
  const copy = (): void => {
    navigator.clipboard.writeText(test.data?.text ?? '').then(
      () => setSaid('Copied.'),
      () => setSaid('The browser does not allow copying. Select the text instead.'),
    )
  }
  return (
    <Dialog title="Copy as test" isOpen onClose={onClose}>
      {test.error === null ? null : <Fault error={test.error} />}
      {test.data === undefined ? (
        <p className="quiet">{test.error === null ? 'Loading …' : ''}</p>
      ) : (
        <>
          <p className="quiet">
            Save this as <code>{test.data.name}</code>. It repeats the run with its recorded answers, without a model.
          </p>
          <JsonView value={test.data.text} name="Test" />
        </>
      )}
      <div className="dialog-actions">
        <span role="status">{said}</span>
        <Button onPress={onClose}>Close</Button>
        <Button kind="first" onPress={copy} isDisabled={test.data === undefined}>
          Copy
        </Button>
      </div>
    </Dialog>
  )
}

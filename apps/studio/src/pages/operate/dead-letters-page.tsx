import type { DeadLetter } from '@parley/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { deadLettersQuery, infoQuery } from '../../client/queries.ts'
import { runsClient } from '../../client/studio-client.ts'
import { Button } from '../../elements/button.tsx'
import { Empty } from '../../elements/empty.tsx'
import { Facts } from '../../elements/facts.tsx'
import { Fault } from '../../elements/fault.tsx'
import { JsonView } from '../../elements/json.tsx'

/** Events that a subscriber did not accept, and runs whose every attempt failed. */
export function DeadLettersPage() {
  const list = useQuery(deadLettersQuery)
  const info = useQuery(infoQuery)
  const letters = list.data?.deadLetters ?? []
  return (
    <div className="page">
      <h1>Dead letters</h1>
      {list.error === null ? null : <Fault error={list.error} retry={() => void list.refetch()} />}
      {list.data !== undefined && letters.length === 0 ? (
        <Empty title="Every event was accepted">
          An event that a subscriber of the event bus did not accept appears here, to be delivered again or dropped.
        </Empty>
      ) : null}
      {letters.map(letter => (
        <Letter key={letter.id} letter={letter} mayChange={info.data?.access === 'admin'} />
      ))}
    </div>
  )
}

function Letter({ letter, mayChange }: { readonly letter: DeadLetter; readonly mayChange: boolean }) {
  const queries = useQueryClient()
  const onSettled = (): Promise<void> => queries.invalidateQueries({ queryKey: ['dead-letters'] })
  const redrive = useMutation({ mutationFn: () => runsClient().redriveDeadLetter(letter.id), onSettled })
  const drop = useMutation({ mutationFn: () => runsClient().dropDeadLetter(letter.id), onSettled })
  const { event } = letter
  const runId = 'runId' in event ? event.runId : undefined
  const error = redrive.error ?? drop.error
  const isBusy = redrive.isPending || drop.isPending
  return (
    <article className="card stack" aria-label={`Dead letter for ${letter.subscriber}`}>
      <h2>
        <code>{event.type}</code> for {letter.subscriber}
      </h2>
      <Facts
        facts={[
          ['Why', letter.detail === '' ? letter.reason : `${letter.reason}: ${letter.detail}`],
          ['Attempts', letter.attempts],
          ['Failed', new Date(letter.failedAt).toLocaleString()],
          [
            'Run',
            runId === undefined ? undefined : (
              <Link key="run" to="/runs/$runId" params={{ runId }}>
                {runId}
              </Link>
            ),
          ],
        ]}
      />
      <details>
        <summary>Event</summary>
        <JsonView value={event} name="Event" />
      </details>
      {error === null ? null : <Fault error={error} />}
      {redrive.data?.redriven === false ? <p role="alert">No subscriber of this name accepted the event.</p> : null}
      {mayChange ? (
        <div className="row">
          <Button kind="first" isDisabled={isBusy} onPress={() => redrive.mutate()}>
            Deliver again
          </Button>
          <Button kind="danger" isDisabled={isBusy} onPress={() => drop.mutate()}>
            Drop
          </Button>
        </div>
      ) : null}
    </article>
  )
}

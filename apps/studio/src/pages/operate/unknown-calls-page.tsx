import type { UnknownCall } from '@parley/runs-api'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { infoQuery, unknownCallsQuery } from '../../client/queries.ts'
import { runsClient } from '../../client/studio-client.ts'
import { Button } from '../../elements/button.tsx'
import { Empty } from '../../elements/empty.tsx'
import { Fault } from '../../elements/fault.tsx'
import { JsonView } from '../../elements/json.tsx'
import { textField } from '../../elements/form-values.ts'

/** Calls of `once` tools whose outcome a crash has hidden. */
export function UnknownCallsPage() {
  const pages = useInfiniteQuery(unknownCallsQuery)
  const info = useQuery(infoQuery)
  const calls = pages.data?.pages.flatMap(page => page.calls) ?? []
  return (
    <div className="page">
      <h1>Unknown calls</h1>
      <p className="quiet">
        A process died while a tool with the effect <code>once</code> was at work. The call is not made again, because
        it may have taken effect. Find out what happened, and record it here.
      </p>
      {pages.error === null ? null : <Fault error={pages.error} retry={() => void pages.refetch()} />}
      {pages.data !== undefined && calls.length === 0 ? (
        <Empty title="The outcome of every call is known">There is nothing to find out.</Empty>
      ) : null}
      {calls.map(call => (
        <Call key={`${call.runId}/${call.callId}`} call={call} mayRecord={info.data?.access === 'admin'} />
      ))}
      {pages.hasNextPage ? (
        <div>
          <Button onPress={() => void pages.fetchNextPage()} isDisabled={pages.isFetchingNextPage}>
            {pages.isFetchingNextPage ? 'Looking …' : 'Look at older runs'}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

function Call({ call, mayRecord }: { readonly call: UnknownCall; readonly mayRecord: boolean }) {
  const { recorded } = call
  return (
    <article className="card stack" aria-label={`Unknown call of ${call.name}`}>
      <div className="row spread">
        <h2>
          <code>{call.name}</code>
        </h2>
        <Link to="/runs/$runId" params={{ runId: call.runId }} search={{ tab: 'entries', seq: call.seq }}>
          Open the run
        </Link>
      </div>
      <p className="quiet">{new Date(call.at).toLocaleString()}</p>
      <JsonView value={call.input} name={`Arguments of ${call.name}`} />
      {recorded === undefined ? null : (
        <p>
          {recorded.by} recorded on {new Date(recorded.at).toLocaleString()}: the call{' '}
          {recorded.tookEffect ? 'took effect' : 'did not take effect'}. {recorded.note}
        </p>
      )}
      {recorded === undefined && mayRecord ? <RecordForm call={call} /> : null}
    </article>
  )
}

function RecordForm({ call }: { readonly call: UnknownCall }) {
  const queries = useQueryClient()
  const record = useMutation({
    mutationFn: (fields: FormData) =>
      runsClient().recordOutcome(call, {
        tookEffect: fields.get('effect') === 'yes',
        note: textField(fields, 'note') ?? '',
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['unknown-calls'] }),
  })
  return (
    <form
      className="stack"
      onSubmit={event => {
        event.preventDefault()
        record.mutate(new FormData(event.currentTarget))
      }}
    >
      <fieldset className="row plain-set">
        <legend className="small quiet">What happened</legend>
        <label className="row">
          <input type="radio" name="effect" value="yes" required /> The call took effect
        </label>
        <label className="row">
          <input type="radio" name="effect" value="no" /> It did not
        </label>
      </fieldset>
      <label className="field">
        <span className="label">What you found</span>
        <input name="note" required autoComplete="off" />
      </label>
      {record.error === null ? null : <Fault error={record.error} />}
      <div>
        <Button kind="first" type="submit" isDisabled={record.isPending}>
          Record
        </Button>
      </div>
    </form>
  )
}

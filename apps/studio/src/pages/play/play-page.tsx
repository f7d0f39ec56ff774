import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { agentsQuery, infoQuery } from '../../client/queries.ts'
import { Button } from '../../elements/button.tsx'
import { Empty } from '../../elements/empty.tsx'
import { Fault } from '../../elements/fault.tsx'
import { Chat } from './chat.tsx'
import { Composer } from './composer.tsx'
import { useSend } from './use-send.ts'

/** A chat with any agent of the server. */
export function PlayPage() {
  const view = useSearch({ from: '/play' })
  const navigate = useNavigate()
  const agents = useQuery(agentsQuery)
  const info = useQuery(infoQuery)
  const names = (agents.data ?? []).filter(agent => !agent.isWorkflow).map(agent => agent.name)
  const agent = view.agent ?? names[0]
  const mayRun = info.data !== undefined && info.data.access !== 'viewer' && info.data.canRun
  if (agents.error !== null) {
    return (
      <div className="page">
        <h1>Play</h1>
        <Fault error={agents.error} retry={() => void agents.refetch()} />
      </div>
    )
  }
  return (
    <div className="page tall">
      <div className="row spread">
        <h1>Play</h1>
        <div className="row">
          <label className="row">
            Agent
            <select
              value={agent ?? ''}
              onChange={event => void navigate({ to: '/play', search: { agent: event.target.value } })}
            >
              {names.map(name => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          {view.run === undefined ? null : (
            <Button onPress={() => void navigate({ to: '/play', search: agent === undefined ? {} : { agent } })}>
              New conversation
            </Button>
          )}
        </div>
      </div>
      {info.data !== undefined && !mayRun ? (
        <Empty title="This server starts no runs for you">
          {info.data.canRun ? 'The key has the access viewer. ' : 'It has no agents. '}
          Start one with <code>parley serve --studio</code>, or use a key with the access operator.
        </Empty>
      ) : null}
      {agent === undefined || !mayRun ? null : view.run === undefined ? (
        <FirstMessage agent={agent} />
      ) : (
        <Chat key={view.run} agent={agent} runId={view.run} />
      )}
    </div>
  )
}

function FirstMessage({ agent }: { readonly agent: string }) {
  const send = useSend(agent)
  return (
    <>
      <div className="conversation">
        <Empty title={`Talk to ${agent}`}>
          Tool calls and approvals appear in the conversation. Every message starts a run, which you find under Runs,
          too.
        </Empty>
      </div>
      {send.error === null ? null : <Fault error={send.error} />}
      <Composer isBusy={send.isPending} send={input => send.mutate({ input })} verb="Send" />
    </>
  )
}

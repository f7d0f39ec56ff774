import type { Entry } from '@parley/core'
import type { TranscriptMessage } from '@parley/runs-api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { runQuery } from '../../client/queries.ts'
import { runsClient } from '../../client/studio-client.ts'
import { useRunFeed } from '../../client/use-run-feed.ts'
import { Button } from '../../elements/button.tsx'
import { Fault } from '../../elements/fault.tsx'
import { toConversation, type Block } from '../../run-model/conversation.ts'
import { ConversationView } from '../run/conversation-view.tsx'
import { PendingRequests } from '../run/pending-requests.tsx'
import { Composer } from './composer.tsx'
import { useSend } from './use-send.ts'

export interface ChatProps {
  readonly agent: string
  /** The last run of the conversation. */
  readonly runId: string
}

/** A conversation: the messages of earlier runs, and the last run, live. */
export function Chat({ agent, runId }: ChatProps) {
  const feed = useRunFeed(runId)
  const queries = useQueryClient()
  const run = useQuery(runQuery(runId))
  const earlier = useQuery({
    queryKey: ['transcript', runId],
    queryFn: ({ signal }) => runsClient().transcript(runId, { signal }),
    staleTime: Infinity,
  })
  const send = useSend(agent)
  const steer = useMutation({
    mutationFn: (message: Parameters<typeof send.mutate>[0]) =>
      runsClient().steer(runId, { message: message.input ?? [] }),
  })
  const [edited, setEdited] = useState<Block>()
  const before = useMemo(() => blocksBefore(earlier.data?.messages ?? [], runId), [earlier.data, runId])
  const last = feed.phase === 'loading' ? undefined : feed.entries.findLast(isTurn)
  const { refetch } = run
  useEffect(() => {
    if (last !== undefined) void refetch()
  }, [last, feed.phase, refetch])

  const sessionId = run.data?.sessionId
  const isWorking = run.data?.status === 'running' && feed.phase !== 'ended'
  const question = lastQuestion([...before, ...toConversation(feed.entries)])
  const error = send.error ?? steer.error ?? (feed.phase === 'failed' ? feed.error : null)
  const actions = (block: Block) =>
    block.kind === 'user' && block.source === 'input' && !isWorking && block.seq > 1 ? (
      <Button kind="bare" onPress={() => setEdited(block)}>
        Edit and branch
      </Button>
    ) : null
  return (
    <>
      <ConversationView
        before={before}
        entries={feed.entries}
        live={feed.live}
        progress={feed.progress}
        actions={actions}
        isFollowed
        isLoading={feed.phase === 'loading'}
      />
      {run.data === undefined ? null : <PendingRequests run={run.data} />}
      {error === null || error === undefined ? null : <Fault error={error} />}
      <ChatVerbs
        runId={runId}
        isWorking={isWorking}
        regenerate={
          question === undefined || run.data?.status === 'suspended' || send.isPending
            ? undefined
            : () => send.mutate({ sessionId, fork: { runId: question.runId ?? runId, at: question.seq } })
        }
      />
      {edited === undefined ? (
        <Composer
          isBusy={send.isPending || run.data?.status === 'suspended'}
          verb={isWorking ? 'Steer' : 'Send'}
          send={input => {
            if (isWorking) steer.mutate({ input })
            else send.mutate({ input, sessionId })
            void queries.invalidateQueries({ queryKey: ['run', runId] })
          }}
        />
      ) : (
        <Composer
          key={edited.seq}
          isBusy={send.isPending}
          verb="Branch"
          text={textOf(edited)}
          cancel={() => setEdited(undefined)}
          send={input => send.mutate({ input, fork: { runId: edited.runId ?? runId, at: edited.seq - 1 } })}
        />
      )}
    </>
  )
}

interface ChatVerbsProps {
  readonly runId: string
  readonly isWorking: boolean
  /** Asks for another answer. Absent: not possible now. */
  readonly regenerate: (() => void) | undefined
}

function ChatVerbs({ runId, isWorking, regenerate }: ChatVerbsProps) {
  const stop = useMutation({ mutationFn: () => runsClient().cancel(runId) })
  return (
    <div className="row">
      {isWorking ? (
        <Button kind="danger" onPress={() => stop.mutate()} isDisabled={stop.isPending}>
          Stop
        </Button>
      ) : null}
      {isWorking || regenerate === undefined ? null : <Button onPress={regenerate}>Regenerate</Button>}
      <Link to="/runs/$runId" params={{ runId }}>
        Open the run
      </Link>
      {stop.error === null ? null : <Fault error={stop.error} />}
    </div>
  )
}

function isTurn({ type }: Entry): boolean {
  return type.startsWith('run.') || type.startsWith('approval.') || type.startsWith('tool.')
}

function lastQuestion(blocks: readonly Block[]): Block | undefined {
  return blocks.findLast(block => block.kind === 'user' && block.source === 'input')
}

function textOf(block: Block): string {
  if (block.kind !== 'user') return ''
  return block.message.content.map(part => (part.type === 'text' ? part.text : '')).join('')
}

/** The messages of earlier runs as blocks. Each names its run, so that a branch can begin there. */
function blocksBefore(messages: readonly TranscriptMessage[], shown: string): readonly Block[] {
  const blocks: Block[] = []
  for (let from = 0; from < messages.length;) {
    const runId = messages[from]?.runId
    const end = messages.findIndex((message, index) => index > from && message.runId !== runId)
    const group = messages.slice(from, end === -1 ? undefined : end)
    from += group.length
    if (runId !== shown) blocks.push(...toConversation(group.map(toEntry)).map(block => ({ ...block, runId })))
  }
  return blocks
}

function toEntry({ message, seq = 0, at = 0 }: TranscriptMessage): Entry {
  return { v: 1, type: 'message.appended', seq, at, source: message.role === 'user' ? 'input' : 'model', message }
}

import { responseText, type AgentSessionHistory } from '@parley/agent-api'
import { messageText, ParleyError, type Store } from '@parley/core'
import type { Command } from 'commander'
import { countOf } from '../render/count-of.ts'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { isOnServer, withServerFlag, type NamedServer, type ServerFlags } from '../flags/server-flag.ts'
import { withExamples } from '../program/with-examples.ts'
import { openServerClient } from '../remote/remote-options.ts'
import { ageOf } from '../render/age.ts'
import { printable } from '../render/printable.ts'
import { questionOf } from '../render/run-standing.ts'
import type { Terminal } from '../render/terminal.ts'
import { openExistingStore } from '../store/open-store.ts'

interface SessionsFlags extends ServerFlags {
  readonly db: string
  readonly json?: boolean
}

/** A session in the list. */
interface ListedSession {
  readonly id: string
  readonly agent: string
  readonly status: string
  readonly runs: number
  /** Time of the newest entry, in milliseconds since the epoch. */
  readonly updatedAt: number
}

/** A message in a session. */
interface SaidMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** Defines the command `parley sessions [SESSION]`. */
export function defineSessionsCommand(command: Command, terminal: Terminal): void {
  command
    .description(
      'Lists the sessions, newest first: the id, how the newest run stands, its age, the number of runs and the agent. With ' +
        'the id of a session, prints its messages.',
    )
    .argument('[session]', 'id of a session (default: list the sessions)')
  withDatabaseFlag(withServerFlag(command, ['json']))
    .option('--json', 'print every session or message as one line of JSON')
    .action(async (id: string | undefined, flags: SessionsFlags) => {
      const found = isOnServer(flags) ? await readRemote(flags, id) : await readLocal(flags.db, id)
      for (const each of found) terminal.out(`${flags.json === true ? JSON.stringify(each) : lineOf(each, terminal)}\n`)
      if (found.length === 0) terminal.out('No sessions.\n')
    })
  withExamples(command, [
    ['sessions', 'lists the sessions of the database'],
    ['sessions tides', 'prints the messages of a session'],
    ['sessions --server https://agent.example', 'lists your sessions on a server'],
  ])
}

type Found = readonly (ListedSession | SaidMessage)[]

function lineOf(found: ListedSession | SaidMessage, terminal: Terminal): string {
  if ('role' in found) return printable(`${found.role === 'user' ? '> ' : ''}${found.text}`, terminal)
  const { id, status, updatedAt, runs, agent } = found
  const count = countOf(runs, 'run')
  return `${terminal.style('bold', id)}  ${status}  ${ageOf(updatedAt, Date.now())}  ${count}  ${agent}`
}

async function readRemote(flags: NamedServer, id: string | undefined): Promise<Found> {
  const client = openServerClient(flags)
  if (id !== undefined) return messagesOf(await client.session(id))
  return (await client.sessions()).map(({ id: session, agent, status, runs, updated_at: updatedAt }) => {
    return { id: session, agent: agent ?? '', status: status ?? '', runs, updatedAt: updatedAt * 1_000 }
  })
}

function messagesOf({ history }: AgentSessionHistory): readonly SaidMessage[] {
  return history.flatMap(({ input, output }) => [
    ...input.map(({ content }) => said('user', (content ?? []).map(({ text }) => text ?? '').join(' '))),
    said('assistant', responseText({ output } as Parameters<typeof responseText>[0])),
  ])
}

const said = (role: SaidMessage['role'], text: string): SaidMessage => ({ role, text })

/** Largest number of runs whose sessions are listed. */
const LISTED = 1_000

async function readLocal(db: string, id: string | undefined): Promise<Found> {
  await using store = await openExistingStore(db)
  return id === undefined ? await listLocal(store) : await readMessages(store, id)
}

async function listLocal(store: Store): Promise<readonly ListedSession[]> {
  const runs = await store.runs({ scope: 'default', limit: LISTED })
  return [...Map.groupBy(runs, ({ sessionId }) => sessionId)].flatMap(([id, group]) => {
    const [newest] = group
    if (newest === undefined) return []
    return [{ id, agent: newest.agent, status: newest.status, runs: group.length, updatedAt: newest.updatedAt }]
  })
}

async function readMessages(store: Store, id: string): Promise<readonly SaidMessage[]> {
  const { loadRun } = await import('@parley/engine/journal')
  const runs = await store.runs({ scope: 'default', sessionId: id, limit: LISTED })
  if (runs.length === 0)
    throw new ParleyError({ code: 'config-invalid', path: 'session', detail: `there is no session '${id}'` })
  const turns: SaidMessage[] = []
  for (const { runId, relation } of runs.toReversed()) {
    if (relation === 'sub-agent' || relation === 'compaction') continue
    const { transcript } = await loadRun(store, runId)
    turns.push(said('user', questionOf(await store.read(runId))))
    if (transcript.last?.role === 'assistant') turns.push(said('assistant', messageText(transcript.last)))
  }
  return turns
}

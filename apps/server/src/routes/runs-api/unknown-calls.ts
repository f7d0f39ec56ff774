import type { Entry, EntryOf, NoteStore } from '@parley/core'
import type { RecordedOutcome, UnknownCall, UnknownCallList } from '@parley/runs-api'
import { notFound } from '../../problem/problem.ts'
import { limitOf } from './query-values.ts'
import { readCursor, writeCursor } from './run-cursor.ts'
import { defineRunsRoute, notSupported, type RunsRequest } from './runs-route.ts'
import { recordOutcomeSchema } from './verb-schemas.ts'

/** Calls of `once` tools whose outcome a crash has hidden, and what operators have found out about them. */
export const UNKNOWN_CALL_ROUTES = [
  defineRunsRoute({
    method: 'get',
    path: '/unknown-calls',
    access: 'viewer',
    summary: 'List calls whose outcome a crash has hidden, in the newest runs.',
    query: { limit: 'integer', after: 'string' },
    answer: 'UnknownCallList',
    handle: listUnknown,
  }),
  defineRunsRoute({
    method: 'post',
    path: '/unknown-calls/{runId}/{callId}',
    access: 'admin',
    summary: 'Record what happened to a call whose outcome a crash has hidden.',
    body: recordOutcomeSchema,
    answer: 'RecordedOutcome',
    handle: async (request): Promise<RecordedOutcome> => {
      const { server, client, body, param } = request
      const { notes } = server.store
      if (notes === undefined) throw notSupported('notes, in which outcomes are recorded')
      const record = await server.store.run(param('runId'))
      if (record?.scope !== client.scope) throw notFound('run')
      const calls = unknownCalls(record.runId, await server.store.read(record.runId))
      const call = calls.find(({ callId }) => callId === param('callId'))
      if (call === undefined) throw notFound('call with a hidden outcome')
      const at = server.clock.now()
      const outcome = { ...body, by: client.name, at }
      await notes.put({ ...noteKey(client.scope, call), at, text: JSON.stringify(outcome) })
      return outcome
    },
  }),
]

/** The journals of a page of runs are read, because no store knows the calls of its runs. */
async function listUnknown(request: RunsRequest): Promise<UnknownCallList> {
  const { server, client, query } = request
  const { store } = server
  const after = query('after')
  const limit = limitOf(request, 200)
  const runs = await store.runs({
    scope: client.scope,
    after: after === undefined ? undefined : readCursor(after),
    limit,
  })
  const calls: UnknownCall[] = []
  for (const { runId } of runs)
    for (const call of unknownCalls(runId, await store.read(runId)))
      calls.push(await withOutcome(store.notes, client.scope, call))
  const last = runs.at(-1)
  return { calls, ...(runs.length === limit && last !== undefined ? { next: writeCursor(last) } : {}) }
}

/** Only a call of a `once` tool ends as interrupted: the others run again. */
function unknownCalls(runId: string, entries: readonly Entry[]): readonly UnknownCall[] {
  const started = new Map<string, EntryOf<'tool.started'>>()
  const calls: UnknownCall[] = []
  for (const entry of entries) {
    if (entry.type === 'tool.started') started.set(entry.callId, entry)
    if (entry.type !== 'tool.ended' || entry.error?.code !== 'tool-interrupted') continue
    const { callId, name, seq, at } = entry
    calls.push({ runId, callId, name, input: started.get(callId)?.input ?? null, seq, at })
  }
  return calls
}

async function withOutcome(notes: NoteStore | undefined, scope: string, call: UnknownCall): Promise<UnknownCall> {
  const note = await notes?.get(noteKey(scope, call))
  return note === undefined ? call : { ...call, recorded: JSON.parse(note.text) as RecordedOutcome }
}

/** Agents search the notes of their own scope, so outcomes have a scope of their own. */
function noteKey(scope: string, { runId, callId }: Pick<UnknownCall, 'runId' | 'callId'>) {
  return { scope: `unknown-calls|${scope}`, id: `${runId} ${callId}` }
}

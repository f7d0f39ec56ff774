import { ParleyError, type InboxItem, type PutRequest, type RunInbox, type RunStatus } from '@parley/core'
import type { Kysely } from 'kysely'
import { createInboxWatch, type InboxSignals } from './create-inbox-watch.ts'
import type { InboxRow, StoreTables } from '../tables/store-tables.ts'
import { openWatch, type StorePart } from './store-part.ts'

interface SqlInboxOptions extends StorePart {
  /** How the store notices commands of other processes. @default as for `InboxSignals` */
  readonly signals?: InboxSignals | undefined
}

/** Keeps the inboxes of runs in the table `inbox`. */
export function createSqlInbox({ name, db, guard, signals = {} }: SqlInboxOptions): RunInbox {
  const { announce, ...watching } = signals
  const { tell, watch } = createInboxWatch({ ...watching, unread: () => guard(() => unreadRuns(db)) })
  return {
    put: (request, options) =>
      guard(async () => {
        const status = await putItem(db, request)
        tell(request.runId)
        announce?.(request.runId)
        return status
      }, options),
    read: (runId, options) =>
      guard(async () => {
        const rows = await db
          .selectFrom('inbox')
          .innerJoin('runs', 'runs.run_id', 'inbox.run_id')
          .selectAll('inbox')
          .where('inbox.run_id', '=', runId)
          .whereRef('inbox.position', '>', 'runs.taken')
          .orderBy('inbox.position')
          .execute()
        return rows.length === 0 ? [] : toItems(rows, name)
      }, options),
    watch: (listener, options) => openWatch(guard, () => watch(listener), options),
  }
}

async function unreadRuns(db: Kysely<StoreTables>): Promise<readonly string[]> {
  const rows = await db.selectFrom('runs').select('run_id').whereRef('received', '>', 'taken').execute()
  return rows.map(row => row.run_id)
}

/**
 * Adds a command. Changes the run's row first, so that the second of two overlapping transactions waits for the first.
 */
function putItem(db: Kysely<StoreTables>, { runId, id, at, command }: PutRequest): Promise<RunStatus> {
  return db.transaction().execute(async transaction => {
    const run = await transaction
      .updateTable('runs')
      .set(({ eb }) => ({ received: eb('received', '+', 1) }))
      .where('run_id', '=', runId)
      .where('status', 'in', ['running', 'suspended'])
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('inbox').select('item_id').where('run_id', '=', runId).where('item_id', '=', id))),
      )
      .returning(['received', 'status'])
      .executeTakeFirst()
    if (run === undefined) return statusOfKnown(transaction, runId, id)
    const item = { run_id: runId, position: run.received, item_id: id, at, command: JSON.stringify(command) }
    await transaction.insertInto('inbox').values(item).execute()
    return run.status
  })
}

async function statusOfKnown(db: Kysely<StoreTables>, runId: string, id: string): Promise<RunStatus> {
  const run = await db.selectFrom('runs').select('status').where('run_id', '=', runId).executeTakeFirst()
  if (run === undefined) throw new ParleyError({ code: 'run-unknown', runId })
  const item = db.selectFrom('inbox').select('position').where('run_id', '=', runId).where('item_id', '=', id)
  if ((await item.executeTakeFirst()) === undefined) throw new ParleyError({ code: 'run-ended', runId })
  return run.status
}

async function toItems(rows: readonly InboxRow[], name: string): Promise<readonly InboxItem[]> {
  // Imported here, because loading zod takes long and most inboxes stay empty.
  const { parseRunCommand } = await import('@parley/core/schema')
  return rows.map(({ run_id, position, item_id: id, at, command }) => ({
    position,
    id,
    at,
    command: parseRunCommand(command, `${name}, run ${run_id}, inbox item ${position}`),
  }))
}

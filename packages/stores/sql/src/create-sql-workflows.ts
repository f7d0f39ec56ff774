import {
  ParleyError,
  type Json,
  type WorkflowKey,
  type WorkflowPut,
  type WorkflowRecord,
  type WorkflowStore,
} from '@parley/core'
import type { Kysely } from 'kysely'
import type { StoreTables, WorkflowRow } from './store-tables.ts'

export interface SqlWorkflowsOptions {
  /** The store, for errors. */
  readonly name: string
  readonly db: Kysely<StoreTables>
  /** Runs one call of the store. */
  readonly guard: <TResult>(call: () => Promise<TResult>) => Promise<TResult>
}

/** Definitions in the table of workflows. */
export function createSqlWorkflows({ name: store, db, guard }: SqlWorkflowsOptions): WorkflowStore {
  const read = (row: WorkflowRow): WorkflowRecord => toRecord(row, store)
  return {
    put: workflow => guard(async () => read(await putVersion(db, workflow))),
    get: ({ scope, name, version }) =>
      guard(async () => {
        const versions = versionsOf(db, { scope, name })
        const wanted = version === undefined ? versions.limit(1) : versions.where('version', '=', version)
        const row = await wanted.executeTakeFirst()
        return row === undefined ? undefined : read(row)
      }),
    list: ({ scope }) =>
      guard(async () => {
        const rows = db.selectFrom('workflows').selectAll().where('scope', '=', scope)
        const newest = rows.where(({ eb, selectFrom }) =>
          eb(
            'version',
            '=',
            selectFrom('workflows as other')
              .select(({ fn }) => fn.max('other.version').as('newest'))
              .whereRef('other.scope', '=', 'workflows.scope')
              .whereRef('other.name', '=', 'workflows.name'),
          ),
        )
        return (await newest.orderBy('name').execute()).map(read)
      }),
    versions: key => guard(async () => (await versionsOf(db, key).execute()).map(read)),
    remove: ({ scope, name }) =>
      guard(async () => {
        const { numDeletedRows } = await db
          .deleteFrom('workflows')
          .where('scope', '=', scope)
          .where('name', '=', name)
          .executeTakeFirst()
        return numDeletedRows > 0n
      }),
  }
}

/** Of two at once the second finds its number taken, and looks again. */
async function putVersion(db: Kysely<StoreTables>, { scope, name, at, definition }: WorkflowPut): Promise<WorkflowRow> {
  const text = JSON.stringify(definition)
  for (;;) {
    const newest = await versionsOf(db, { scope, name }).limit(1).executeTakeFirst()
    if (newest?.definition === text) return newest
    const row = { scope, name, version: (newest?.version ?? 0) + 1, saved_at: at, definition: text }
    const { numInsertedOrUpdatedRows: saved } = await db
      .insertInto('workflows')
      .values(row)
      .onConflict(conflict => conflict.columns(['scope', 'name', 'version']).doNothing())
      .executeTakeFirstOrThrow()
    if (saved === 1n) return row
  }
}

/** Newest first. */
function versionsOf(db: Kysely<StoreTables>, { scope, name }: WorkflowKey) {
  const rows = db.selectFrom('workflows').selectAll().where('scope', '=', scope).where('name', '=', name)
  return rows.orderBy('version', 'desc')
}

function toRecord({ name, version, saved_at: savedAt, definition }: WorkflowRow, store: string): WorkflowRecord {
  try {
    return { name, version, definition: JSON.parse(definition) as Json, savedAt }
  } catch (cause) {
    const where = `${store}, workflow ${name}, version ${version}`
    throw new ParleyError({ code: 'store-corrupt', store: where, detail: 'it is not JSON' }, { cause })
  }
}

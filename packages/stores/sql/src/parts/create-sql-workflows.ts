import type { Json, WorkflowKey, WorkflowPut, WorkflowRecord, WorkflowStore } from '@parley/core'
import type { Kysely } from 'kysely'
import type { StoreTables, WorkflowRow } from '../tables/store-tables.ts'
import { parseColumn, type StorePart } from './store-part.ts'

/** Keeps workflow definitions in the table `workflows`. */
export function createSqlWorkflows({ name: store, db, guard }: StorePart): WorkflowStore {
  const read = (row: WorkflowRow): WorkflowRecord => toRecord(row, store)
  return {
    put: (workflow, options) => guard(async () => read(await putVersion(db, workflow)), options),
    get: ({ scope, name, version }, options) =>
      guard(async () => {
        const versions = versionsOf(db, { scope, name })
        const wanted = version === undefined ? versions.limit(1) : versions.where('version', '=', version)
        const row = await wanted.executeTakeFirst()
        return row === undefined ? undefined : read(row)
      }, options),
    list: ({ scope }, options) =>
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
      }, options),
    versions: (key, options) => guard(async () => (await versionsOf(db, key).execute()).map(read), options),
    remove: ({ scope, name }, options) =>
      guard(async () => {
        const { numDeletedRows } = await db
          .deleteFrom('workflows')
          .where('scope', '=', scope)
          .where('name', '=', name)
          .executeTakeFirst()
        return numDeletedRows > 0n
      }, options),
  }
}

/**
 * Inserts the next version. If two calls are concurrent, the number of the second is already used, and the second tries
 * again.
 */
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

/** Selects the versions of a workflow, newest first. */
function versionsOf(db: Kysely<StoreTables>, { scope, name }: WorkflowKey) {
  const rows = db.selectFrom('workflows').selectAll().where('scope', '=', scope).where('name', '=', name)
  return rows.orderBy('version', 'desc')
}

function toRecord({ name, version, saved_at: savedAt, definition }: WorkflowRow, store: string): WorkflowRecord {
  const place = `${store}, workflow ${name}, version ${version}`
  return { name, version, definition: parseColumn<Json>(definition, place), savedAt }
}

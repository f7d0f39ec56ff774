import { createId, ParleyError, type Artifact, type ArtifactStore } from '@parley/core'
import type { Kysely } from 'kysely'
import type { StoreTables } from './store-tables.ts'

export interface SqlArtifactsOptions {
  /** The store, for errors. */
  readonly name: string
  readonly db: Kysely<StoreTables>
  /** Runs one call of the store. */
  readonly guard: <TResult>(call: () => Promise<TResult>) => Promise<TResult>
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Large results in the table of artifacts. */
export function createSqlArtifacts({ name, db, guard, now }: SqlArtifactsOptions): ArtifactStore {
  return {
    put: async ({ scope, sessionId }, { text, tool, callId }) => {
      const keptAt = now()
      const id = createId(keptAt)
      const row = { artifact_id: id, scope, session_id: sessionId, kept_at: keptAt }
      const artifact = JSON.stringify({ text, tool, callId } satisfies Artifact)
      await guard(() =>
        db
          .insertInto('artifacts')
          .values({ ...row, artifact })
          // A call that is made again because its answer was lost has the same id.
          .onConflict(conflict => conflict.column('artifact_id').doNothing())
          .execute(),
      )
      return id
    },
    get: ({ scope, sessionId }, id) =>
      guard(async () => {
        const row = await db
          .selectFrom('artifacts')
          .select('artifact')
          .where('artifact_id', '=', id)
          .where('scope', '=', scope)
          .where('session_id', '=', sessionId)
          .executeTakeFirst()
        return row === undefined ? undefined : toArtifact(row.artifact, `${name}, artifact ${id}`)
      }),
  }
}

function toArtifact(text: string, store: string): Artifact {
  try {
    return JSON.parse(text) as Artifact
  } catch (cause) {
    throw new ParleyError({ code: 'store-corrupt', store, detail: 'it is not JSON' }, { cause })
  }
}

import { createId, type Artifact, type ArtifactStore } from '@parley/core'
import { parseColumn, type StorePart } from './store-part.ts'

interface SqlArtifactsOptions extends StorePart {
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number
}

/** Keeps artifacts in the table `artifacts`. */
export function createSqlArtifacts({ name, db, guard, now }: SqlArtifactsOptions): ArtifactStore {
  return {
    put: async ({ scope, sessionId }, { text, tool, callId }, options) => {
      const keptAt = now()
      const id = createId(keptAt)
      const row = { artifact_id: id, scope, session_id: sessionId, kept_at: keptAt }
      const artifact = JSON.stringify({ text, tool, callId } satisfies Artifact)
      await guard(
        () =>
          db
            .insertInto('artifacts')
            .values({ ...row, artifact })
            // A backend repeats a call whose response was lost. The repeated call has the same id.
            .onConflict(conflict => conflict.column('artifact_id').doNothing())
            .execute(),
        options,
      )
      return id
    },
    get: ({ scope, sessionId }, id, options) =>
      guard(async () => {
        const row = await db
          .selectFrom('artifacts')
          .select('artifact')
          .where('artifact_id', '=', id)
          .where('scope', '=', scope)
          .where('session_id', '=', sessionId)
          .executeTakeFirst()
        return row === undefined ? undefined : parseColumn<Artifact>(row.artifact, `${name}, artifact ${id}`)
      }, options),
  }
}

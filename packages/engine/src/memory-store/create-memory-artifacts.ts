import { createId, type Artifact, type ArtifactOwner, type ArtifactStore } from '@parley/core'

export interface KeptArtifact {
  readonly owner: ArtifactOwner
  readonly keptAt: number
  readonly artifact: Artifact
}

/** Large results that live in `kept`, by id. */
export function createMemoryArtifacts(kept: Map<string, KeptArtifact>, now: () => number): ArtifactStore {
  return {
    put: async ({ scope, sessionId }, artifact) => {
      const keptAt = now()
      const id = createId(keptAt)
      kept.set(id, { owner: { scope, sessionId }, keptAt, artifact })
      return id
    },
    get: async ({ scope, sessionId }, id) => {
      const found = kept.get(id)
      return found?.owner.scope === scope && found.owner.sessionId === sessionId ? found.artifact : undefined
    },
  }
}

import { checkNumber, type Artifact, type ArtifactOwner, type ArtifactStore } from '@parley/core'

export interface MemoryArtifactsOptions {
  /** Maximum characters of all artifacts together. Beyond it, the oldest artifacts are removed. @default 64_000_000 */
  readonly maxCharacters?: number | undefined
}

/**
 * Creates an in-memory artifact store. Its artifacts are lost when this process ends.
 * @throws ParleyError `config-invalid` if a number is invalid.
 */
export function createMemoryArtifacts({ maxCharacters = 64_000_000 }: MemoryArtifactsOptions = {}): ArtifactStore {
  checkNumber({ path: 'memoryArtifacts.maxCharacters', value: maxCharacters })
  const kept = new Map<string, { readonly owner: ArtifactOwner; readonly artifact: Artifact }>()
  let characters = 0
  let count = 0
  return {
    put({ scope, sessionId }, artifact) {
      const id = `artifact_${++count}`
      kept.set(id, { owner: { scope, sessionId }, artifact })
      characters += artifact.text.length
      for (const [oldest, { artifact: old }] of kept) {
        if (characters <= maxCharacters || oldest === id) break
        kept.delete(oldest)
        characters -= old.text.length
      }
      return id
    },
    get({ scope, sessionId }, id) {
      const found = kept.get(id)
      if (found === undefined || found.owner.scope !== scope || found.owner.sessionId !== sessionId) return undefined
      return found.artifact
    },
  }
}

import { checkOptions } from '../../options/check-options.ts'
import type { OptionKinds } from '../../options/option-kind.ts'
import { systemClock } from '../../async/clock.ts'
import { checkNumber } from '../../errors/check-number.ts'
import type { Artifact, ArtifactOwner, ArtifactStore } from '../artifact-store.ts'

/** Options of `createMemoryArtifacts`. */
export interface MemoryArtifactsOptions {
  /**
   * Largest number of characters of all artifacts together. If there are more, the oldest artifacts are removed.
   * @default 64_000_000
   */
  readonly maxCharacters?: number | undefined
  /** Returns the time in milliseconds since the epoch. @default the machine's clock */
  readonly now?: (() => number) | undefined
}

/** An in-memory artifact store. */
export interface MemoryArtifacts extends ArtifactStore {
  /** Removes every artifact for which `isObsolete` returns true. `keptAt` is in milliseconds since the epoch. */
  removeIf(isObsolete: (owner: ArtifactOwner, keptAt: number) => boolean): void
}

interface KeptArtifact {
  readonly owner: ArtifactOwner
  readonly keptAt: number
  readonly artifact: Artifact
}

const OPTIONS: OptionKinds<MemoryArtifactsOptions> = {
  maxCharacters: 'number',
  now: 'function',
}

/**
 * Creates an artifact store that keeps its artifacts in the memory of this process.
 * @throws ParleyError `config-invalid` if `maxCharacters` is not above 0.
 */
export function createMemoryArtifacts(options: MemoryArtifactsOptions = {}): MemoryArtifacts {
  checkOptions('createMemoryArtifacts', options, OPTIONS)
  const { maxCharacters = 64_000_000, now = systemClock.now } = options
  checkNumber({ path: 'memoryArtifacts.maxCharacters', value: maxCharacters })
  const kept = new Map<string, KeptArtifact>()
  let characters = 0
  let count = 0

  function remove(id: string, { artifact }: KeptArtifact): void {
    kept.delete(id)
    characters -= artifact.text.length
  }

  return {
    put({ scope, sessionId }, artifact, { signal } = {}) {
      signal?.throwIfAborted()
      const id = `artifact_${++count}`
      kept.set(id, { owner: { scope, sessionId }, keptAt: now(), artifact })
      characters += artifact.text.length
      for (const [oldestId, oldest] of kept) {
        if (characters <= maxCharacters || oldestId === id) break
        remove(oldestId, oldest)
      }
      return id
    },
    get({ scope, sessionId }, id, { signal } = {}) {
      signal?.throwIfAborted()
      const found = kept.get(id)
      return found?.owner.scope === scope && found.owner.sessionId === sessionId ? found.artifact : undefined
    },
    removeIf(isObsolete) {
      for (const [id, found] of kept) if (isObsolete(found.owner, found.keptAt)) remove(id, found)
    },
  }
}

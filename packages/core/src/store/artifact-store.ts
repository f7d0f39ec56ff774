import type { StoreCallOptions } from './store-call-options.ts'

/** Owner of an artifact. Only runs of this session in this scope may read it. */
export interface ArtifactOwner {
  readonly scope: string
  readonly sessionId: string
}

/** A large tool result that is kept outside the transcript. */
export interface Artifact {
  readonly text: string
  /** Name of the tool that returned the result. */
  readonly tool: string
  readonly callId: string
}

/**
 * Keeps large tool results. An id gives access only to its owner.
 * `describeArtifactContract` of `@parley/testing/contract` tests every promise made here.
 */
export interface ArtifactStore {
  /** Keeps an artifact. @returns Its id. */
  put(owner: ArtifactOwner, artifact: Artifact, options?: StoreCallOptions): Promise<string> | string
  /** Returns an artifact, or `undefined` if it is unknown, removed or owned by another session or scope. */
  get(
    owner: ArtifactOwner,
    id: string,
    options?: StoreCallOptions,
  ): Promise<Artifact | undefined> | Artifact | undefined
}

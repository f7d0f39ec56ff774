/** Who may read an artifact: runs of one session in one scope. */
export interface ArtifactOwner {
  readonly scope: string
  readonly sessionId: string
}

/** A large result of a tool, set aside. */
export interface Artifact {
  readonly text: string
  /** The tool whose result it is. */
  readonly tool: string
  readonly callId: string
}

/**
 * Where large results live. An id says nothing to anybody but its owner.
 * `describeArtifactContract` in `@parley/testing/contract` checks every promise.
 */
export interface ArtifactStore {
  /** Keeps it, and says how to ask for it. */
  put(owner: ArtifactOwner, artifact: Artifact): Promise<string> | string
  /** Undefined when it does not exist, is gone, or is somebody else's. */
  get(owner: ArtifactOwner, id: string): Promise<Artifact | undefined> | Artifact | undefined
}

export type { Artifact, ArtifactOwner, ArtifactStore } from '@parley/core'

export type { Artifact, ArtifactOwner, ArtifactStore } from '@parley/core'
export { createOffload, type Offload, type OffloadOptions } from './create-offload.ts'

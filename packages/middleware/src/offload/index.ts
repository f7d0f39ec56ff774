export { type Artifact, type ArtifactOwner, type ArtifactStore } from './artifact-store.ts'
export { createOffload, type Offload, type OffloadOptions } from './create-offload.ts'

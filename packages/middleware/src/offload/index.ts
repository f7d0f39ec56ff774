export { type Artifact, type ArtifactOwner, type ArtifactStore } from './artifact-store.ts'
export { createMemoryArtifacts, type MemoryArtifactsOptions } from './create-memory-artifacts.ts'
export { createOffload, type Offload, type OffloadOptions } from './create-offload.ts'

export type { Artifact, ArtifactOwner, ArtifactStore } from '@parley/core'
export { createMemoryArtifacts, type MemoryArtifactsOptions } from './create-memory-artifacts.ts'
export { createOffload, type Offload, type OffloadOptions } from './create-offload.ts'

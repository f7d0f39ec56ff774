export { createVertexPlatform, type VertexPlatformOptions } from './create-vertex-platform.ts'

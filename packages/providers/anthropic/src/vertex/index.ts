export { vertexPlatform, type VertexPlatformOptions } from './vertex-platform.ts'

export { createMemoryTools, type MemoryToolsOptions } from './create-memory-tools.ts'

export { createPrompty } from './create-prompty.ts'
export { nodeFiles, type NodeFilesOptions } from './node-files.ts'

export { createPrompty } from './create-prompty.ts'
export { executeAgent } from './execute-agent.ts'
export { loadPrompty } from './load-prompty.ts'
export { nodeFiles, type NodeFilesOptions } from './node-files.ts'

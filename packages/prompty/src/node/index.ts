export { createPrompty } from './create-prompty.ts'
export { executeAgent } from './execute-agent.ts'
export { loadPrompty } from './load-prompty.ts'
export { createNodeFiles, type NodeFilesOptions } from './create-node-files.ts'

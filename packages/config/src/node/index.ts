export { composeFile } from './compose-file.ts'
export { loadConfig, type LoadConfigOptions } from './load-config.ts'

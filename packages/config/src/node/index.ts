export { loadConfig, type LoadConfigOptions } from './load-config.ts'

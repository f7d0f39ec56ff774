export { createTimeTools, type TimeToolsOptions } from './create-time-tools.ts'

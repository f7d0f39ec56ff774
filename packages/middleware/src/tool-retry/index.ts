export { toolRetry, type ToolRetryNotice, type ToolRetryOptions } from './tool-retry.ts'

export { retry, type RetryNotice, type RetryOptions } from './retry.ts'

export { timeout, type TimeoutOptions } from './timeout.ts'

export { logging, type Logger, type LoggingOptions } from './logging.ts'

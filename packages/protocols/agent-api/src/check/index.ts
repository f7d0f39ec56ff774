export {
  checkAgentEvents,
  createStreamChecker,
  type StreamChecker,
  type StreamCheckerOptions,
} from './create-stream-checker.ts'
export type { Violation, ViolationCode } from './violation.ts'

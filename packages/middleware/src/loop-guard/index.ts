export { loopGuard, type LoopGuardOptions, type RepeatedCall } from './loop-guard.ts'

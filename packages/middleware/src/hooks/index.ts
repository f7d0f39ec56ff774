export { gateCompaction, type CompactionGate } from './gate-compaction.ts'
export { gateProgress, type ProgressGate } from './gate-progress.ts'
export { hooks } from './hooks.ts'
export {
  type CompactionSizes,
  type FailurePhase,
  type Hooks,
  type ModelAnswer,
  type ModelErrorDecision,
  type RunEnd,
  type RunFailure,
  type Session,
  type ToolDecision,
  type TurnEnd,
} from './hook-signatures.ts'

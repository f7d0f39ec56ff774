export { gateCompaction, type CompactionGate } from './gate-compaction.ts'
export { gateProgress, type ProgressGate } from './gate-progress.ts'
export { hooks } from './hooks.ts'
export {
  type Hooks,
  type ModelAnswer,
  type ModelErrorDecision,
  type RunEnd,
  type ToolDecision,
  type TurnEnd,
} from './hook-signatures.ts'

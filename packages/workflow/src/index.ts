export { defineWorkflow, type WorkflowOptions } from './define-workflow.ts'
export { parseWorkflow } from './parse-workflow.ts'
export type {
  AgentStep,
  ApprovalStep,
  ConditionStep,
  FailurePolicy,
  MapStep,
  ParallelStep,
  RepeatStep,
  SequenceStep,
  Step,
  ToolStep,
  WorkflowStep,
} from './definition/step.ts'
export type { StepFailure, Workflow, WorkflowInput, WorkflowLimits, WorkflowResult } from './definition/workflow.ts'
export { workflowGraph, type WorkflowEdge, type WorkflowGraph, type WorkflowNode } from './graph/workflow-graph.ts'
export { workflowOf } from './graph/workflow-of.ts'
export type { Expression } from './expression/expression.ts'
export { loadWorkflows, type LoadWorkflowsOptions } from './saved/load-workflows.ts'
export { readWorkflows, type ReadWorkflowsOptions } from './saved/read-workflows.ts'
export { saveWorkflow, type SaveWorkflowOptions } from './saved/save-workflow.ts'
export type { SavingStore } from './saved/read-workflows.ts'

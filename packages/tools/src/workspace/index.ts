export { createWorkspace, type WorkspaceOptions } from './create-workspace.ts'
export type { PathVerdict } from './path-judge.ts'
export { SENSITIVE_NAMES } from './sensitive-names.ts'
export type { ResolveOptions, Workspace, WorkspaceFile, WorkspacePath, WriteOptions } from './workspace.ts'

export { PASSED_VARIABLES } from './child-environment.ts'
export { coderPolicy } from './coder-policy.ts'
export { createShellTool, type ShellToolOptions } from './create-shell-tool.ts'
export { noNetworkPolicy, readOnlyPolicy } from './read-only-policy.ts'
export { findSandbox, type Sandbox } from './sandbox/find-sandbox.ts'
export type {
  AllowedVerdict,
  CommandCheck,
  CommandScene,
  CommandVerdict,
  PrepareCommand,
  PreparedCommand,
  ResourceLimits,
  ShellPolicy,
} from './shell-policy.ts'

export { createTextTools, type TextToolsOptions } from './create-text-tools.ts'
export type { RandomInt } from './password-tool.ts'

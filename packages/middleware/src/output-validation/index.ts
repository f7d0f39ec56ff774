export { validateToolOutput, type ValidateToolOutputOptions } from './validate-tool-output.ts'

export { createFileTools, type FileToolsOptions } from './create-file-tools.ts'

export { createContextTools } from './create-context-tools.ts'

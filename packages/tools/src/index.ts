export { calculator } from './math/calculator.ts'
export { evaluateExpression } from './math/evaluate-expression.ts'
export { createTimeTools, type TimeToolsOptions } from './time/create-time-tools.ts'

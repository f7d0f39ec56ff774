export { calculator } from './calculator.ts'
export { evaluateExpression } from './evaluate-expression.ts'

export { createBudget, type BudgetOptions } from './create-budget.ts'

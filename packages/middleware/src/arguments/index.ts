export {
  checkArguments,
  type ArgumentRepair,
  type ArgumentRule,
  type CheckArgumentsOptions,
} from './check-arguments.ts'

export { describeStoreContract } from './describe-store-contract.ts'

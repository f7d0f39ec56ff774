export { describeDeadLetterContract, type OpenDeadLetters } from './describe-dead-letter-contract.ts'
export { describeStoreContract } from './describe-store-contract.ts'

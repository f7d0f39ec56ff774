export { describeArtifactContract, type OpenArtifacts } from './describe-artifact-contract.ts'
export { describeDeadLetterContract, type OpenDeadLetters } from './describe-dead-letter-contract.ts'
export { describeStoreContract } from './describe-store-contract.ts'

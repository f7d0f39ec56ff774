export { describeArtifactContract, type OpenArtifacts } from './store/describe-artifact-contract.ts'
export { describeDeadLetterContract, type OpenDeadLetters } from './store/describe-dead-letter-contract.ts'
export { describeNoteContract, type OpenNotes } from './store/describe-note-contract.ts'
export { describeStoreContract } from './store/describe-store-contract.ts'
export { describeWorkflowContract, type OpenWorkflows } from './store/describe-workflow-contract.ts'
export { describeHostContract } from './host/describe-host-contract.ts'
export type { HostContractOptions } from './host/host-scene.ts'
export {
  createHostWorkers,
  type DurableHostWorkersOptions,
  type HostContext,
  type HostedRun,
  type HostedRunOptions,
  type HostedRuntime,
  type HostOf,
} from './host/create-host-workers.ts'
export type { HostAgent, HostOrder, HostProcess, HostWorker } from './host/host-worker.ts'
export { describeModelContract, type ModelContractOptions, type OpenModel } from './model/describe-model-contract.ts'
export { MODEL_SCENARIOS, type ModelScenario, type ScenarioCall, type ScenarioEnding } from './model/model-scenario.ts'
export { createScenarioServer, type ScenarioServer, type ScenarioWire } from './model/create-scenario-server.ts'

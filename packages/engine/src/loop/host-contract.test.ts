import { createMemoryStore } from '@parley/memory-store'
import { describeHostContract, createHostWorkers } from '@parley/testing/contract'
import { createRuntime, defineAgent } from '../index.ts'
import { childRunningHost, plainHost, recordingHost, type OperationLog } from './__fixtures__/hosts.ts'

const createStore = createMemoryStore
const engine = { createRuntime, defineAgent }
const logs = new Map<string, OperationLog>()

// #region contract
describeHostContract('a loop over take()', {
  createStore,
  ...createHostWorkers({ ...engine, createHost: () => plainHost }),
})
// #endregion

describeHostContract('a host that records its operations', {
  createStore,
  ...createHostWorkers({
    ...engine,
    createHost({ runId }) {
      const log = logs.get(runId) ?? new Map<string, unknown>()
      logs.set(runId, log)
      return recordingHost(log)
    },
  }),
})

describeHostContract('a host that runs child runs', {
  createStore,
  ...createHostWorkers({ ...engine, createHost: childRunningHost }),
})

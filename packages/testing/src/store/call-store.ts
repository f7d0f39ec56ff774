import { ParleyError, type Store } from '@parley/core'
import type { StoreCommand } from './store-model.ts'

/** Makes the call that a command describes. Returns a `ParleyError` as a result. */
export async function callStore(store: Store, command: StoreCommand): Promise<unknown> {
  try {
    return await call(store, command)
  } catch (error) {
    if (ParleyError.is(error)) return { refused: error.info }
    throw error
  }
}

function call(store: Store, command: StoreCommand): Promise<unknown> {
  switch (command.type) {
    case 'append':
      return store.append(command)
    case 'claim':
      return store.claim(command)
    case 'heartbeat':
      return store.heartbeat(command)
    case 'read':
      return store.read(command.runId, { afterSeq: command.afterSeq, limit: command.limit })
    case 'run':
      return store.run(command.runId)
    case 'runs':
      return store.runs(command)
    case 'put':
      return store.inbox?.put(command) ?? Promise.resolve(undefined)
    case 'read-inbox':
      return store.inbox?.read(command.runId) ?? Promise.resolve([])
    case 'prune':
      return store.prune?.(command) ?? Promise.resolve(0)
  }
}

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
      return store.append(requestOf(command))
    case 'claim':
      return store.claim(requestOf(command))
    case 'heartbeat':
      return store.heartbeat(requestOf(command))
    case 'read':
      return store.read(command.runId, { afterSeq: command.afterSeq, limit: command.limit })
    case 'run':
      return store.run(command.runId)
    case 'runs':
      return store.runs(requestOf(command))
    case 'put':
      return store.inbox?.put(requestOf(command)) ?? Promise.resolve(undefined)
    case 'read-inbox':
      return store.inbox?.read(command.runId) ?? Promise.resolve([])
    case 'prune':
      return store.prune?.(requestOf(command)) ?? Promise.resolve(0)
  }
}

/** Returns the fields of a command without `type`, which belongs to the suite: a store may refuse or keep unknown fields. */
function requestOf<TCommand extends { readonly type: string }>(command: TCommand): Omit<TCommand, 'type'> {
  const { type: _, ...request } = command
  return request
}

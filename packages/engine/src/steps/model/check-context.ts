import { NOT_LOADED } from '../../agent/context/default-token-counter.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import { checkView } from '../../run-context/view/check-view.ts'

/**
 * Checks that the next request can fit into the model's window. Called after the context policy has decided.
 * @returns `undefined` if nothing has to be loaded for that.
 * @throws ParleyError `context-unsatisfiable`.
 */
export function checkContext({ prompt }: RunContext): Promise<void> | undefined {
  const { view } = prompt
  if (view === undefined) return undefined
  try {
    checkView(view)
    return undefined
  } catch (error) {
    const loading = error === NOT_LOADED ? view.load() : undefined
    if (loading === undefined) throw error
    return loading.then(() => checkView(view))
  }
}

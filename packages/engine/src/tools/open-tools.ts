import type { RunScope } from '../run/run-scope.ts'

/** Asks the agent's tool sources what they have. A source that cannot answer lets the run end as failed. */
export function openTools(run: RunScope): void | Promise<void> {
  const current = run.prepared.shelf.current(run.stopper.signal)
  if (current instanceof Promise) {
    return current.then(
      tools => {
        run.tools = tools
      },
      error => {
        // What a stopped source says is not why the run ends.
        if (!run.stopper.stopped) run.fail(error)
      },
    )
  }
  run.tools = current
  return undefined
}

import { defineMiddleware, type InputFilter, type Middleware, type RunFacts } from '@parley/core'

/** Rejects messages to a running workflow: a run takes only its input. */
export function rejectMessages(): { readonly filter: InputFilter; readonly middleware: Middleware } {
  const begun = new WeakSet<RunFacts>()
  return {
    filter: {
      name: 'workflow',
      check: (_message, { run }) =>
        begun.has(run) ? { type: 'reject', reason: 'a workflow takes no messages while it runs.' } : 'pass',
    },
    middleware: defineMiddleware('workflow-input', facts => ({
      event({ type }) {
        if (type === 'message.appended' || type === 'run.resumed') begun.add(facts)
      },
    })),
  }
}

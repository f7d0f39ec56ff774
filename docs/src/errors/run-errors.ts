import type { ErrorEntry } from './error-entry.ts'

/** Failures of runs, agents and settings. */
export const RUN_ERRORS = {
  'config-invalid': {
    cause:
      'An option, an agent, a tool or a configuration file has an invalid value. `path` is the place of the value.',
    remedy: 'Change the value as `detail` says.',
  },
  'agent-unknown': {
    cause: 'No agent has this name.',
    remedy: 'Use one of the names in `known`, or pass the agent to `createRuntime({ agents })`.',
  },
  'run-failed': {
    cause: '`invoke`, `orThrow` or `textStream` was used, and the run did not complete.',
    remedy:
      'Read `status` and `detail`: `detail` says which call continues the run. Use `await run.result` to get every end as data.',
  },
  'step-failed': {
    cause: 'A step of a workflow failed, and no `onFailure` handled it.',
    remedy:
      "Read `cause` and `detail`. Set `onFailure` of the step to `'continue'` or to other steps if the workflow can do without it.",
  },
  'selection-failed': {
    cause: '`bestOf` chose none of the candidates: none completed, or the judge gave no usable choice.',
    remedy: 'Read `detail`. Check the runs of the candidates, and the instructions of the judge.',
  },
  'model-unknown': {
    cause: 'An agent names a model that the runtime does not know.',
    remedy:
      'Name it in `models` of `createRuntime`, give its provider in `providers`, or set `model` to a model object.',
  },
  'run-unknown': {
    cause: 'The store has no run with this id in this scope.',
    remedy: 'Check the id, the `scope` and the store. A pruned run cannot be found.',
  },
  'run-ended': {
    cause: 'The call needs an unfinished run, but the run has ended.',
    remedy: 'Start another run, for example in the same session, or use `fork`.',
  },
  'run-suspended': {
    cause: 'A child run is suspended, so its parent run waits with it.',
    remedy: 'Decide the approval or submit the result of the client. The parent run then continues.',
  },
  'run-busy': {
    cause: 'Another worker drives the run. `aliveUntil` is the end of its last heartbeat.',
    remedy:
      'Wait for the result, or send commands with `runtime.steer` and `runtime.cancel`, which reach every process. After a crash, another worker can claim the run once `aliveUntil` has passed.',
  },
  'session-busy': {
    cause: 'Another run of the session is unfinished, or started at the same time.',
    remedy: 'Wait for that run, resume it, answer what it waits for (`waitsFor`), or cancel it. Then try again.',
  },
  'approval-unknown': {
    cause: 'No unfinished run has a pending approval with this id.',
    remedy:
      'List the pending ones with `runtime.approvals()`. The approval may have been decided, or may have expired.',
  },
  'approval-decided': {
    cause: 'Another approver, process or timeout has decided first.',
    remedy: 'Nothing: the first decision counts.',
  },
  'approval-forbidden': {
    cause: 'The approver has none of the roles that the request names.',
    remedy: 'Let an approver with one of `roles` decide.',
  },
  'client-call-unknown': {
    cause: 'The run has no tool call with this id that waits for a result of the client.',
    remedy: 'List the pending calls with `runtime.pending(runId)`, and check the id and the scope.',
  },
  'client-call-settled': {
    cause: 'The call already has a result, its deadline has passed, or its run has ended.',
    remedy: 'Nothing: the first result counts.',
  },
  'input-rejected': {
    cause: 'An input filter of the agent rejected a message.',
    remedy: 'Read `reason`, and change the message or the filter.',
  },
  'output-invalid': {
    cause: 'None of the answers fits the output schema of the agent, and the repairs were used up.',
    remedy: 'Read `issues`. Simplify the schema, describe its fields, or raise `outputOptions.repairs`.',
  },
  'queue-full': {
    cause: 'The queue of messages of a run is full.',
    remedy: "Wait until the run has taken some, raise `queue.capacity`, or set `queue.onFull` to `'drop-oldest'`.",
  },
  'runtime-closed': {
    cause: 'The runtime was closed before or during the call.',
    remedy: 'Create a runtime for further runs. A run that was suspended by `close` can be resumed.',
  },
  'quota-exceeded': {
    cause: 'A quota of the agent or the runtime is used up.',
    remedy: "Wait for the next window, raise the quota, or set `onFull: 'wait'` for concurrent runs.",
  },
  'context-unsatisfiable': {
    cause:
      "The messages that must stay do not fit into the bound of the context policy or into the model's window. No request was sent.",
    remedy: 'Raise the bound, let the policy keep fewer messages, or shorten the messages, instructions or tools.',
  },
  'limit-reached': {
    cause:
      "The run reached a limit with `onLimit: 'fail'`, a budget was spent, or a run was resumed too often without progress.",
    remedy:
      'Raise the limit if the work is meant to take that much. Otherwise read the journal with `parley trace` to see what the run repeats.',
  },
  internal: {
    cause: 'An error that Parley did not expect, for example one thrown by a hook or a middleware of yours.',
    remedy: 'Read `detail` and `stack`. If the error is not from your code, report it.',
  },
} satisfies Record<string, ErrorEntry>

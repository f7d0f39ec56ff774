import type { ErrorEntry } from './error-entry.ts'

/** Failures of tool calls. */
export const TOOL_ERRORS = {
  'tool-unknown': {
    cause: 'The model called a tool that the agent does not have. The model reads the names of the tools that exist.',
    remedy:
      'Nothing, if it happens rarely. Otherwise describe the tools better, or remove the name from the instructions.',
  },
  'tool-arguments-unparsable': {
    cause: 'The model sent arguments that are not valid JSON and could not be repaired.',
    remedy: 'The model reads the error and tries again. If it repeats, use a simpler input schema or a stronger model.',
  },
  'tool-input-invalid': {
    cause: 'The arguments of a call do not fit the input schema of the tool. The handler did not run.',
    remedy: 'The model reads the issues and tries again. If it repeats, describe the fields of the schema.',
  },
  'tool-output-invalid': {
    cause: "The handler returned a value that does not fit the tool's `output` schema.",
    remedy: 'Correct the handler or the schema.',
  },
  'tool-failed': {
    cause: 'The handler threw an error, or returned `toolError`.',
    remedy:
      "Read `detail`, and `stack` in the journal: `parley trace` prints it. Return `toolError('…')` for a failure that you expect.",
  },
  'tool-timeout': {
    cause: 'The handler did not return before its timeout. Its `signal` was aborted.',
    remedy: 'Raise `timeoutMs` of the tool or `toolTimeoutMs` of the agent, and let the handler obey `signal`.',
  },
  'tool-denied': {
    cause: 'The call was not run: a permission rule, an approver or a guard refused it.',
    remedy: 'Read `reason`. Change `permissions`, or let an approver with the right role decide.',
  },
  'tool-cancelled': {
    cause:
      'The run was cancelled before or while the tool ran. With `started`, the tool may have taken partial effect.',
    remedy: 'Check the effect of the tool if `started` is true.',
  },
  'tool-interrupted': {
    cause: 'A process died while a `once` tool ran, so its outcome is unknown. The tool was not run again.',
    remedy:
      'Give the tool a `reconcile` function that looks up the result by its `idempotencyKey`, or declare the effect `idempotent` if repeating is harmless.',
  },
  'tool-skipped': {
    cause: 'The call was skipped because a steering message came first.',
    remedy: 'Nothing. The model reads the message and decides again.',
  },
  'tool-schema-invalid': {
    cause: 'The input schema of a tool cannot be compiled, so the model does not get the tool.',
    remedy: 'Correct the schema. `detail` names the fault.',
  },
} satisfies Record<string, ErrorEntry>

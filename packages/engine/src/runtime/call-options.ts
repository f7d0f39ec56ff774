import { checkOptions, type OptionKinds } from '@parley/core'
import { SETTINGS } from '../agent/check-settings.ts'
import { LIMITS } from '../agent/limits.ts'
import type { BranchOptions, CompactOptions, ForkOptions, RunOptions } from '../loop/run-options.ts'
import type { CloseOptions } from './close-runtime.ts'
import type {
  ApprovalQuery,
  CancelOptions,
  DecideOptions,
  PruneOptions,
  ReplayOptions,
  ResumeOptions,
  ScopeOptions,
  SubmitOptions,
} from './runtime-options.ts'

const SCOPE: OptionKinds<ScopeOptions> = { scope: 'string' }
const RESUME: OptionKinds<ResumeOptions> = {
  ...SCOPE,
  force: 'boolean',
  host: 'object',
  parent: 'object',
  signal: 'signal',
}
const COMPACT: OptionKinds<Omit<CompactOptions, 'agent'>> = {
  principal: 'object',
  variables: 'object',
  context: 'any',
  metadata: 'object',
  scope: 'string',
  runId: 'string',
  host: 'object',
  parent: 'object',
  signal: 'signal',
}
const RUN: OptionKinds<RunOptions> = {
  ...COMPACT,
  sessionId: 'string',
  rotateAfterMs: 'number',
  history: 'list',
  instructions: 'string',
  model: 'string',
  settings: SETTINGS,
  limits: LIMITS,
  clientTools: 'list',
  acceptClientTools: 'boolean',
  workspace: 'string',
  captureRequests: 'string',
}
const { history: _history, rotateAfterMs: _rotateAfterMs, ...BRANCHING } = RUN
const RERUN: OptionKinds<BranchOptions> = { ...BRANCHING, input: 'string or object', agent: 'string or object' }

/** The types of the options of each call of a runtime. */
const CALLS = {
  run: RUN,
  rerun: RERUN,
  fork: { ...RERUN, at: 'number', results: 'list' } satisfies OptionKinds<ForkOptions>,
  compact: { ...COMPACT, agent: 'string or object' } satisfies OptionKinds<CompactOptions>,
  resume: RESUME,
  decide: { ...RESUME, decision: 'object!', by: 'object' } satisfies OptionKinds<DecideOptions>,
  submitToolResult: { ...RESUME, by: 'object' } satisfies OptionKinds<SubmitOptions>,
  cancel: { ...SCOPE, reason: 'object' } satisfies OptionKinds<CancelOptions>,
  replay: {
    ...SCOPE,
    afterSeq: 'number',
    follow: 'boolean',
    ephemeral: 'boolean',
    signal: 'signal',
  } satisfies OptionKinds<ReplayOptions>,
  prune: { ...SCOPE, olderThanMs: 'number!' } satisfies OptionKinds<PruneOptions>,
  close: { drainMs: 'number', graceMs: 'number', onClose: ['cancel', 'suspend'] } satisfies OptionKinds<CloseOptions>,
  steer: SCOPE,
  followUp: SCOPE,
  transcript: SCOPE,
  pending: SCOPE,
  approvals: { ...SCOPE, sessionId: 'string', runId: 'string', role: 'string' } satisfies OptionKinds<ApprovalQuery>,
  session: SCOPE,
} as const

/** Checks the options of a call, and returns them. @throws ParleyError `config-invalid`. */
export function checked<TOptions>(call: keyof typeof CALLS, options: TOptions): TOptions {
  checkOptions(call, options, CALLS[call])
  return options
}

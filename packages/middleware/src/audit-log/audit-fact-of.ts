import { messageText, type Json, type RunEvent, type RunEventOf, type RunEventType, type RunFacts } from '@parley/core'
import { jsonDigest } from '../json/json-digest.ts'
import type { AuditFact } from './audit-record.ts'

interface Action {
  readonly action: string
  readonly details: { readonly [name: string]: Json }
  /** Content of the event. The log records the content itself, or its digest. */
  readonly content?: { readonly [name: string]: Json } | undefined
}

/** Turns an event into a fact for the audit log. `undefined` if events of this type are not recorded. */
export async function auditFactOf(event: RunEvent, run: RunFacts, content: boolean): Promise<AuditFact | undefined> {
  const action = actionOf(event)
  if (action === undefined) return undefined
  const details: Record<string, Json> = { ...action.details }
  for (const [name, value] of Object.entries(action.content ?? {})) {
    if (content) details[name] = value
    else details[`${name}Sha256`] = await jsonDigest(value)
  }
  const { runId, sessionId, at } = event
  const { scope, agent, principal } = run
  const who = principal === undefined ? {} : { principal }
  return { at, action: action.action, runId, sessionId, scope, agent, ...who, details }
}

type Audited = Omit<Action, 'action'>
type Actions = { readonly [TType in RunEventType]?: (event: RunEventOf<TType>) => Audited | undefined }

/** The recorded events: what users and the model asked for, what was done, and who approved it. */
const ACTIONS: Actions = {
  'run.started': ({ model, relation, parent }) => ({
    details: { model, relation, ...(parent === undefined ? {} : { parent }) },
  }),
  'run.resumed': ({ worker }) => ({ details: { worker } }),
  'message.appended': ({ source, message }) =>
    source === 'model' ? undefined : { details: { source }, content: { text: messageText(message) } },
  'input.filtered': ({ filter, verdict }) => ({ details: { filter, verdict } }),
  'model.called': ({ turn, model, finish, usage }) => ({ details: { turn, model, finish, usage: { ...usage } } }),
  'model.failed': ({ turn, model, error }) => ({ details: { turn, model, code: error.code } }),
  'tool.started': ({ turn, callId, name, effect, attempt, input }) => ({
    details: { turn, callId, name, effect, attempt },
    content: { input },
  }),
  'tool.ended': ({ turn, callId, name, durationMs, error, message }) => ({
    details: { turn, callId, name, durationMs, ...(error === undefined ? {} : { code: error.code }) },
    content: { result: messageText(message) },
  }),
  'approval.requested': ({ request: { approvalId, callId, name, input } }) => ({
    details: { approvalId, callId, name },
    content: { input },
  }),
  'approval.decided': ({ approvalId, decision, by }) => ({
    details: { approvalId, decision: decision.type, ...(by === undefined ? {} : { by: { ...by } }) },
  }),
  'agent.changed': ({ from, to, callId }) => ({ details: { from, to, callId } }),
  'agent.started': ({ callId, childRunId, agent }) => ({ details: { callId, childRunId, agent } }),
  'cancel.requested': ({ reason }) => ({ details: { kind: reason.kind } }),
  'run.suspended': ({ approvals }) => ({ details: { approvals: approvals.map(each => each.approvalId) } }),
  'run.ended': ({ outcome, usage }) => ({ details: { status: outcome.status, usage: { ...usage } } }),
}

function actionOf(event: RunEvent): Action | undefined {
  // The table pairs each type with its own event, which the compiler cannot infer through a union.
  const make = ACTIONS[event.type] as ((event: RunEvent) => Audited | undefined) | undefined
  const audited = make?.(event)
  return audited === undefined ? undefined : { action: event.type, ...audited }
}

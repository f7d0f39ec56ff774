import { ENTRY_VERSION, type EntryOf } from '@parley/core'

export function startedEntry(): EntryOf<'run.started'> {
  const identity = { agent: 'agent', model: 'test/model', sessionId: 'session', scope: 'scope' }
  return { v: ENTRY_VERSION, seq: 1, at: 1, type: 'run.started', relation: 'initial', ...identity }
}

export function saidEntry(seq: number, text = `entry ${seq}`): EntryOf<'message.appended'> {
  const message = { role: 'user' as const, content: [{ type: 'text' as const, text }] }
  return { v: ENTRY_VERSION, seq, at: seq, type: 'message.appended', source: 'input', message }
}

export function endedEntry(seq: number): EntryOf<'run.ended'> {
  const usage = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 }
  const outcome = { status: 'cancelled' as const, reason: { kind: 'user' as const } }
  return { v: ENTRY_VERSION, seq, at: seq, type: 'run.ended', outcome, usage }
}

import { ENTRY_VERSION, type EntryOf } from '@parley/core'

export function startedEntry(sessionId = 'session'): EntryOf<'run.started'> {
  const identity = { agent: 'agent', model: 'test/model', sessionId, scope: 'scope' }
  return { v: ENTRY_VERSION, seq: 1, at: 1, type: 'run.started', relation: 'initial', ...identity }
}

export function saidEntry(seq: number, text = `entry ${seq}`): EntryOf<'message.appended'> {
  const message = { role: 'user' as const, content: [{ type: 'text' as const, text }] }
  return { v: ENTRY_VERSION, seq, at: seq, type: 'message.appended', source: 'input', message }
}

import type { ModelEvent } from '@parley/core'

/** The content of an answer, collected from its events. */
export interface CollectedAnswer {
  readonly text: string
  readonly calls: readonly { readonly callId: string; readonly name: string; readonly arguments: string }[]
}

/**
 * Collects an answer, and lists what is wrong with the order of its events: an end without its part, events after the
 * finish, a call that is announced and never made.
 */
export function checkModelEvents(events: readonly ModelEvent[]): CollectedAnswer & { readonly faults: string[] } {
  const faults: string[] = []
  const calls: { callId: string; name: string; arguments: string }[] = []
  const announced = new Map<string, { readonly name: string; text: string }>()
  let text = ''
  let part: 'text' | 'reasoning' | undefined
  for (const [index, event] of events.entries()) {
    if (event.type === 'finish' && index < events.length - 1) faults.push('an event follows the finish')
    if (event.type === 'text.delta') text += event.text
    if (event.type === 'text.end' || event.type === 'reasoning.end') {
      const kind = event.type === 'text.end' ? 'text' : 'reasoning'
      // A part without text may still carry data that the provider wants back.
      if (part !== kind && event.providerData === undefined) faults.push(`${event.type} closes no open part`)
    }
    if (event.type === 'tool-call.start') announced.set(event.callId, { name: event.name, text: '' })
    if (event.type === 'tool-call.delta') {
      const call = announced.get(event.callId)
      if (call === undefined) faults.push(`tool-call.delta of '${event.callId}' has no tool-call.start`)
      else call.text += event.delta
    }
    if (event.type === 'tool-call') {
      const call = announced.get(event.callId)
      if (call !== undefined && call.name !== event.name) faults.push(`call '${event.callId}' changes its name`)
      if (call !== undefined && call.text !== '' && call.text !== event.arguments) {
        faults.push(`the deltas of call '${event.callId}' are not its arguments`)
      }
      announced.delete(event.callId)
      calls.push({ callId: event.callId, name: event.name, arguments: event.arguments })
    }
    part = openAfter(event, part)
  }
  for (const callId of announced.keys()) faults.push(`call '${callId}' starts and never ends`)
  return { text, calls, faults }
}

function openAfter(event: ModelEvent, before: 'text' | 'reasoning' | undefined): typeof before {
  if (event.type === 'text.delta') return 'text'
  if (event.type === 'reasoning.delta') return 'reasoning'
  return event.type === 'usage' || event.type === 'retry' ? before : undefined
}

import { messageText, type InputFilter } from '@parley/core'
import { askGuard, type Guard } from './guard.ts'

/** Turns a guard into one of an agent's `inputFilters`. A blocked message ends the run as rejected before the model is called. */
export function guardInput(guard: Guard): InputFilter {
  return {
    name: guard.name,
    async check(message, { run, signal }) {
      const verdict = await askGuard(guard, messageText(message), { kind: 'input', run, signal })
      if (verdict === 'pass') return 'pass'
      if (verdict.type === 'block') return { type: 'reject', reason: verdict.reason }
      const files = message.content.filter(part => part.type !== 'text')
      const content = [{ type: 'text' as const, text: verdict.text ?? '' }, ...files]
      return { type: 'replace', message: { ...message, content }, reason: `replaced by ${guard.name}` }
    },
  }
}

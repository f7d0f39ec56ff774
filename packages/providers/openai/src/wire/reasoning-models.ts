import type { Quirks } from '../quirks/quirks.ts'

/** Whether an id at OpenAI names a model that reasons before it answers. */
export function isReasoningModel(id: string): boolean {
  return /^(ft:)?(o\d|gpt-5(?!.*-chat))/.test(id)
}

/** Returns the role of the instructions. OpenAI's first reasoning models support neither `system` nor `developer`. */
export function systemRoleOf(id: string, { developerRole = false }: Quirks): 'system' | 'developer' | 'user' {
  if (!developerRole || !isReasoningModel(id)) return 'system'
  return /^o1-(mini|preview)/.test(id) ? 'user' : 'developer'
}

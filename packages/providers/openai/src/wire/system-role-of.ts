import { isReasoningModel } from './is-reasoning-model.ts'
import type { Quirks } from '../quirks/quirks.ts'

/** The role instructions go under: the first reasoning models knew neither of the two for it. */
export function systemRoleOf(id: string, { developerRole = false }: Quirks): 'system' | 'developer' | 'user' {
  if (!developerRole || !isReasoningModel(id)) return 'system'
  return /^o1-(mini|preview)/.test(id) ? 'user' : 'developer'
}

import { foundWords, refuseOption } from '@parley/core'

/** Checks a text or message that a caller passed, who may use no types. @throws ParleyError `config-invalid`. */
export function checkMessage(path: string, value: unknown): void {
  if (typeof value === 'string') return
  const must = 'must be a text or a user message'
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuseOption(path, `is ${foundWords(value)}; ${must}`)
  const { role, content } = value as { readonly role?: unknown; readonly content?: unknown }
  if (content === undefined) return refuseOption(path, `is an object without content; ${must}`)
  if (!Array.isArray(content))
    return refuseOption(
      `${path}.content`,
      `is ${foundWords(content)}; must be a list, such as [{ type: 'text', text: 'Hi' }]`,
    )
  if (role !== 'user') refuseOption(`${path}.role`, `is ${foundWords(role)}; must be 'user'`)
}

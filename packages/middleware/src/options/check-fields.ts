import { ParleyError } from '@parley/core'

/**
 * Rejects unknown option names, because a misspelled one would silently have no effect.
 * @throws ParleyError `config-invalid`.
 */
export function checkFields(path: string, options: object, known: readonly string[]): void {
  for (const field of Object.keys(options)) {
    if (known.includes(field)) continue
    throw new ParleyError({
      code: 'config-invalid',
      path: `${path}.${field}`,
      detail: `is unknown; known: ${known.join(', ')}`,
    })
  }
}

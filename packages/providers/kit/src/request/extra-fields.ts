import { ParleyError, type Json, type ModelRequest } from '@parley/core'

/**
 * The fields a user adds for this provider's wire.
 * @param own Fields the request itself decides.
 * @throws `config-invalid` when one of `own` is among them.
 */
export function extraFields(
  { settings }: ModelRequest,
  provider: string,
  own: readonly string[],
): Readonly<Record<string, Json>> {
  const extra = settings.providerOptions?.[provider] ?? {}
  const taken = own.find(field => Object.hasOwn(extra, field))
  if (taken === undefined) return extra
  throw new ParleyError({
    code: 'config-invalid',
    path: `settings.providerOptions.${provider}.${taken}`,
    detail: 'The request decides this field itself. Remove it.',
  })
}

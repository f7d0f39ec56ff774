import { ParleyError, type Json, type ModelRequest } from '@parley/core'

/**
 * Returns the request fields that a user adds for this provider in `settings.providerOptions`.
 * @param own Names of fields that the encoder writes itself.
 * @throws `config-invalid` if the user adds a field of `own`.
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
    detail: 'must be left out; the provider sets this field itself',
  })
}

import type { Json, ProviderData } from '@parley/core'

/** What this provider left with a part; empty for the data of others. */
export function ownDataOf(
  { providerData }: { readonly providerData?: ProviderData | undefined },
  provider: string,
): Readonly<Record<string, Json>> {
  if (providerData?.provider !== provider) return {}
  const { data } = providerData
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {}
}

import type { AssistantMessage, Json, ProviderData } from '@parley/core'

/** Identifies the model that a request is sent to. */
export interface RequestedModel {
  /** Name of the provider. */
  readonly provider: string
  /** Id of the model. */
  readonly model: string
}

/** Prefixes of model names that stand for several models: `fallback/a/x|b/y`. */
const JOINT = /^((fallback|spread)\/)+/
const SNAPSHOT = /-(\d{8}|\d{4}-\d{2}-\d{2})$/

/**
 * Whether a message was written by the requested model or by another snapshot of it. Other models reject the signatures
 * and encrypted reasoning in the message. A message without a model name counts as the model's own. If a joint model
 * (`fallback`, `spread`) wrote the message, all of its models at this provider must be the requested model.
 */
export function isOwnReply({ model: writer }: AssistantMessage, { provider, model }: RequestedModel): boolean {
  if (writer === undefined) return true
  const candidates = JOINT.test(writer) ? writer.split('|').map(name => name.replace(JOINT, '')) : [writer]
  const ours = candidates.filter(name => name.startsWith(`${provider}/`))
  return ours.length > 0 && ours.every(name => withoutSnapshot(name) === withoutSnapshot(`${provider}/${model}`))
}

function withoutSnapshot(name: string): string {
  return name.replace(SNAPSHOT, '')
}

/** Returns the `providerData` that this provider attached to a part; `{}` if another provider attached it. */
export function ownDataOf(
  { providerData }: { readonly providerData?: ProviderData | undefined },
  provider: string,
): Readonly<Record<string, Json>> {
  if (providerData?.provider !== provider) return {}
  const { data } = providerData
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {}
}

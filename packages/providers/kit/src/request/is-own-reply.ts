import type { AssistantMessage } from '@parley/core'

export interface AskedModel {
  readonly provider: string
  /** Its id. */
  readonly model: string
}

/** Names of models that stand for others, before the names of those. */
const JOINT = /^((fallback|spread)\/)+/
const SNAPSHOT = /-(\d{8}|\d{4}-\d{2}-\d{2})$/

/**
 * Whether a message is of the model that is asked, or of another snapshot of it: signatures and ciphers of its reasoning
 * are worth nothing to other models, which refuse them. A message that names no model is taken for its own. Where several
 * models stood for one, it is its own if no other of them is of this provider.
 */
export function isOwnReply({ model: writer }: AssistantMessage, { provider, model }: AskedModel): boolean {
  if (writer === undefined) return true
  const candidates = JOINT.test(writer) ? writer.split('|').map(name => name.replace(JOINT, '')) : [writer]
  const ours = candidates.filter(name => name.startsWith(`${provider}/`))
  return ours.length > 0 && ours.every(name => plain(name) === plain(`${provider}/${model}`))
}

function plain(name: string): string {
  return name.replace(SNAPSHOT, '')
}

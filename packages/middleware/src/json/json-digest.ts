import { canonicalJson } from '@parley/core'

/** Returns the SHA-256 of the value's canonical JSON, in hexadecimal digits. */
export async function jsonDigest(value: unknown): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalJson(value)))
  return Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('')
}

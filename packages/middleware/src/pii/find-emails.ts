import type { PiiSpan } from './pii-span.ts'

const EMAIL =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}](?:[\p{L}\p{N}._%+'-]{0,62}[\p{L}\p{N}_+-])?@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(?:xn--[a-z0-9-]{2,59}|\p{L}{2,24})(?![\p{L}\p{N}_-])/giu

/** File extensions, which look like top-level domains in names such as `icon@2x.png`. */
const FILE_ENDINGS = new Set(
  'png jpg jpeg gif svg webp ico css scss js mjs cjs ts tsx jsx json yaml yml md txt html xml csv pdf zip tgz gz lock'.split(
    ' ',
  ),
)

/** Finds e-mail addresses. */
export function* findEmails(text: string): Generator<PiiSpan> {
  if (!text.includes('@')) return
  for (const { 0: match, index } of text.matchAll(EMAIL)) {
    const end = index + match.length
    if (match.includes('..') || FILE_ENDINGS.has(match.slice(match.lastIndexOf('.') + 1).toLowerCase())) continue
    // `git@host.com:owner/name` and `https://user@host.com/path` are not e-mail addresses.
    if (/^:[\w~/]/.test(text.slice(end)) || /[a-z]:\/\/\S*$/i.test(text.slice(Math.max(0, index - 64), index))) continue
    yield { kind: 'email', start: index, end }
  }
}

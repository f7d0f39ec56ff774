import type { PiiSpan } from './pii-span.ts'
import { isWord, textBefore, UNSPACED_LETTER, WORD } from './text-edges.ts'

const MAX_LOCAL = 64
/** The end of the text before `@`. Letters of scripts without spaces before it belong to the sentence. */
const LOCAL = new RegExp(String.raw`_*(?:${WORD})(?:(?:${WORD})|[._%+'&-]){0,63}$`, 'u')
/** A name in a script without spaces before `@`. */
const UNSPACED_LOCAL = new RegExp(String.raw`(?:${UNSPACED_LETTER}){1,32}$`, 'u')
const LABEL = String.raw`(?:(?:${WORD})(?:(?:${WORD}|-){0,61}(?:${WORD}))?|${UNSPACED_LETTER}(?:${UNSPACED_LETTER}|[\d-]){0,30})`
/** Top-level domains in scripts without spaces. Other words after the last dot can belong to the sentence. */
const UNSPACED_ENDINGS =
  '中国|中國|公司|网络|網路|网址|网站|香港|台湾|台灣|新加坡|澳门|广告|測試|测试|商城|商店|商标|集团|在线|中文网|政务|公益|移动|我爱你|信息|みんな|テスト|コム|ストア|ファッション|グーグル|クラウド|セール|アマゾン|한국|삼성|닷컴|닷넷|테스트|ไทย|คอม'
const DOMAIN = new RegExp(
  String.raw`(?:${LABEL}\.){1,8}(?:xn--[a-z0-9-]{2,59}|(?:(?!\p{N})${WORD}){2,24}|${UNSPACED_ENDINGS})(?!${WORD})`,
  'iuy',
)

/** File extensions, which look like top-level domains in names such as `icon@2x.png`. */
const FILE_ENDINGS = new Set(
  'png jpg jpeg gif svg webp ico css scss js mjs cjs tsx jsx json yaml yml txt html xml csv pdf tgz gz lock'.split(' '),
)
/** Endings of files that are also top-level domains. */
const SHARED_ENDINGS = new Set(['md', 'ts', 'zip'])

/** Finds e-mail addresses. */
export function* findEmails(text: string, from: number): Generator<PiiSpan> {
  let last = from
  for (let at = text.indexOf('@', from); at >= 0; at = text.indexOf('@', at + 1)) {
    const span = emailAt(text, at)
    if (span === undefined || span.start < last) continue
    last = span.end
    yield span
  }
}

function emailAt(text: string, at: number): PiiSpan | undefined {
  const before = textBefore(text, at, MAX_LOCAL + 1)
  const local = (LOCAL.exec(before) ?? UNSPACED_LOCAL.exec(before))?.[0]
  if (local === undefined || local.length > MAX_LOCAL || local.endsWith('.')) return undefined
  DOMAIN.lastIndex = at + 1
  const domain = DOMAIN.exec(text)?.[0]
  if (domain === undefined || (local + domain).includes('..') || isFileName(domain)) return undefined
  const end = at + 1 + domain.length
  const start = at - withoutQuote(text, end, local).length
  if (isWord(text, start - 1) || isRemote(text, start, end) || /^(?:this|super|return)$/.test(local)) return undefined
  return { kind: 'email', start, end }
}

function isFileName(domain: string): boolean {
  const ending = domain.slice(domain.lastIndexOf('.') + 1).toLowerCase()
  return FILE_ENDINGS.has(ending) || (SHARED_ENDINGS.has(ending) && /^\d/.test(domain))
}

/** Removes what is not part of the address: the opening quote of a literal (`N'ann@…'`), and underscores of emphasis. */
function withoutQuote(text: string, end: number, local: string): string {
  const after = text.charAt(end)
  const unquoted = after === "'" ? local.replace(/^(?:[nebrux]|rb|br)'/i, '') : local
  const parameter = unquoted.slice(unquoted.lastIndexOf('&') + 1)
  return after === '_' ? parameter.replace(/^_+/, '') : parameter
}

/**
 * Whether the text is the address of a repository or a URL: `git@host.com:owner/name` and `https://user@host.com/path`
 * are not e-mail addresses.
 */
function isRemote(text: string, start: number, end: number): boolean {
  if (
    /^:[\w.~-]*\//.test(text.slice(end, end + 64)) ||
    /^(?:git|hg|svn)$/.test(text.slice(start, text.indexOf('@', start)))
  )
    return true
  return /(?<!\bmailto):\/\/[^\s/?#"'<>()]*$/i.test(textBefore(text, start, 64))
}

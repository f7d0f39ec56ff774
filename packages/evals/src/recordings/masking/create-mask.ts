import type { Json, Message, ModelRequest, ProviderData } from '@parley/core'
import { findPii, findSecrets, mapJsonText, mapStrings, maskMessage, type PiiKind } from '@parley/core/masking'
import type { RecordedRequest } from '../cassette.ts'
import type { MaskSettings } from './mask-settings.ts'

/** Removes credentials and personal data. Masking what is masked changes nothing. */
export interface Mask {
  text(text: string): string
  /** Masks the strings in the JSON text of a tool call's arguments. */
  jsonText(text: string): string
  message(message: Message): Message
  request(request: ModelRequest): ModelRequest
  request(request: RecordedRequest): RecordedRequest
  providerData<TData extends ProviderData | undefined>(data: TData): TData
}

/** Names of members whose value is a credential, whatever it looks like. */
const SECRET_NAME =
  /^(?:x-)?(?:authorization|proxy-authorization|cookie|set-cookie|passw(?:or)?d|passphrase|(?:[a-z]+[-_])?(?:api|secret|access|private)[-_]?key|(?:client[-_]?)?secret|(?:access|refresh|auth|id|session|bearer)[-_]?token)$/i

const SECRET = '[SECRET]'

/** Rounds after which a text counts as stable. Replaced text can stand beside text that it completes to personal data. */
const MAX_ROUNDS = 4

export function createMask({ personalData, patterns }: MaskSettings): Mask {
  const own = patterns.map(({ source, flags }) => new RegExp(source, flags))
  const secretsOf = (text: string): string => {
    const masked = replace(text, findSecrets(text), () => SECRET)
    return own.reduce((rest, pattern) => rest.replaceAll(pattern, '[MASKED]'), masked)
  }
  const once = (text: string): string => {
    const masked = secretsOf(text)
    return replace(masked, findPii(masked, personalData), standIn)
  }
  const text = (given: string): string => untilStable(given, once)
  const opaque = (given: string): string => {
    // Signatures and ids have no spaces. Their digits are not telephone numbers.
    return /\s/.test(given) ? text(given) : untilStable(given, secretsOf)
  }
  const json = (value: Json): Json => withoutNamed(mapStrings(value, opaque))
  const providerData = <TData extends ProviderData | undefined>(data: TData): TData =>
    data === undefined ? data : { ...data, data: json(data.data) }

  const known = new WeakMap<Message, Message>()
  const message = (given: Message): Message => {
    const found = known.get(given)
    if (found !== undefined) return found
    const masked = maskParts(maskMessage(given, text), { providerData, url: value => untilStable(value, secretsOf) })
    known.set(given, masked)
    return masked
  }
  return {
    text,
    jsonText: given => withoutNamedText(mapJsonText(given, text)),
    message,
    providerData,
    request({ system, messages, tools, settings, ...rest }: RecordedRequest) {
      return {
        ...rest,
        ...(system === undefined ? {} : { system: system.map(part => ({ ...part, text: text(part.text) })) }),
        messages: messages.map(message),
        ...(tools === undefined
          ? {}
          : { tools: tools.map(tool => mapStrings(tool, each => untilStable(each, secretsOf))) }),
        ...(settings === undefined ? {} : { settings: json(JSON.parse(JSON.stringify(settings)) as Json) as object }),
      } as ModelRequest
    },
  }
}

function untilStable(text: string, once: (text: string) => string): string {
  let masked = text
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = once(masked)
    if (next === masked) break
    masked = next
  }
  return masked
}

interface Span {
  readonly start: number
  readonly end: number
}

function replace<TSpan extends Span>(
  text: string,
  spans: readonly TSpan[],
  by: (span: TSpan, found: string) => string,
): string {
  let masked = ''
  let at = 0
  for (const span of spans) {
    masked += text.slice(at, span.start) + by(span, text.slice(span.start, span.end))
    at = span.end
  }
  return at === 0 ? text : masked + text.slice(at)
}

/** A value of the same form that belongs to no one: reserved for documentation, tests or fiction. It still fits a tool's schema. */
function standIn({ kind }: { readonly kind: PiiKind }, found: string): string {
  switch (kind) {
    case 'email':
      return 'masked@example.com'
    case 'phone':
      return '+1 202-555-0100'
    case 'card':
      return '4111111111111111'
    case 'iban':
      return 'GB82WEST12345698765432'
    case 'ssn':
      return '000-00-0000'
    case 'ip':
      return found.includes('.') ? '192.0.2.1' : '2001:db8::1'
  }
}

/** Replaces the values of members that are named like credentials. Returns `value` itself if nothing changes. */
function withoutNamed(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map(withoutNamed)
    return items.every((item, index) => item === value[index]) ? value : items
  }
  const members = Object.entries(value).map(([name, part]): [string, Json] => [
    name,
    typeof part === 'string' && part !== SECRET && SECRET_NAME.test(name) ? SECRET : withoutNamed(part),
  ])
  return members.every(([name, part]) => part === value[name]) ? value : Object.fromEntries(members)
}

/** Does the same in a JSON text. A text that is not JSON, or that has no such member, stays as it is. */
function withoutNamedText(text: string): string {
  try {
    const value = JSON.parse(text) as Json
    const masked = withoutNamed(value)
    return masked === value ? text : JSON.stringify(masked)
  } catch {
    return text
  }
}

interface PartMask extends Pick<Mask, 'providerData'> {
  readonly url: (url: string) => string
}

/** Masks what `maskMessage` leaves as it is: values by their names, addresses of files, and the data of providers. */
function maskParts(message: Message, { providerData, url }: PartMask): Message {
  if (message.role === 'system') return message
  const content = message.content.map(part => {
    const own = part.providerData === undefined ? {} : { providerData: providerData(part.providerData) }
    if (part.type === 'tool-call') return { ...part, arguments: withoutNamedText(part.arguments), ...own }
    if (part.type !== 'file' || part.source.type !== 'url') return { ...part, ...own }
    return { ...part, source: { type: 'url', url: url(part.source.url) }, ...own }
  })
  const data =
    message.role === 'tool' && message.structured !== undefined ? withoutNamed(message.structured) : undefined
  return { ...message, content, ...(data === undefined ? {} : { structured: data }) } as Message
}

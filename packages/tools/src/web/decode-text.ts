const META_CHARSET = /<meta[^>]{0,500}?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i

/** Decodes a body with the encoding that its byte-order mark, the headers or the page itself names. The default is UTF-8. */
export function decodeText(body: Buffer, charset: string | undefined): string {
  const marked = markOf(body)
  const named = marked ?? charset ?? META_CHARSET.exec(body.toString('latin1', 0, 2_048))?.[1] ?? 'utf-8'
  return decoderFor(named).decode(body)
}

function markOf(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  return body[0] === 0xfe && body[1] === 0xff ? 'utf-16be' : undefined
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}

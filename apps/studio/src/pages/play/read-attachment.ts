import type { FilePart } from '@parley/core'

/** The largest file, in bytes: base64 and the rest of the request must fit into one request. */
const LARGEST = 5_000_000

/**
 * Reads a file of the user for a message.
 * @throws Error if the file is larger than 5 MB
 */
export async function readAttachment(file: Pick<File, 'name' | 'size' | 'type' | 'arrayBuffer'>): Promise<FilePart> {
  if (file.size > LARGEST)
    throw new Error(`${file.name} has ${Math.ceil(file.size / 1e6)} MB. Attach files up to 5 MB.`)
  const mediaType = file.type === '' ? 'application/octet-stream' : file.type
  return {
    type: 'file',
    mediaType,
    name: file.name,
    source: { type: 'base64', data: toBase64(new Uint8Array(await file.arrayBuffer())) },
  }
}

/** Characters of one call: the arguments of a call have a limit. */
const PIECE = 8192

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += PIECE) binary += String.fromCharCode(...bytes.subarray(at, at + PIECE))
  return btoa(binary)
}

import type { FileHandle } from 'node:fs/promises'

/**
 * Reads the first `size` bytes of a file, or fewer if the file ends before. Unlike `FileHandle.readFile`, it stops at `size`
 * while the file grows.
 */
export async function readBytes(handle: FileHandle, size: number, signal?: AbortSignal): Promise<Buffer> {
  const bytes = Buffer.alloc(size)
  let filled = 0
  while (filled < size) {
    signal?.throwIfAborted()
    const { bytesRead } = await handle.read(bytes, filled, size - filled, filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

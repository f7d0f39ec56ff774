import { nodeVersion, type ProcessVersions } from './node-version.ts'

interface Files {
  openSync(path: string): number
  readSync(file: number, bytes: Uint8Array): number
  closeSync(file: number): void
}

interface Platform {
  readonly process?: ProcessVersions & { getBuiltinModule?(name: 'node:fs'): Files }
  readonly crypto: { getRandomValues(bytes: Uint8Array<ArrayBuffer>): unknown }
}

/** The random generator of the kernel, on Linux and macOS. */
const DEVICE = '/dev/urandom'

/**
 * Fills `bytes` with numbers of the system's secure random generator. On Node.js it reads the generator as a file, because a
 * new process takes 6 ms and 3 MB to load `crypto` (bench: tricks random-device).
 */
export function fillRandom(bytes: Uint8Array<ArrayBuffer>, platform: Platform = globalThis): void {
  if (!readDevice(bytes, platform)) platform.crypto.getRandomValues(bytes)
}

/** Returns false if the platform has no device or does not let this process read it. */
function readDevice(bytes: Uint8Array, platform: Platform): boolean {
  // Deno would ask the user for permission to read the file.
  const files = nodeVersion(platform) === undefined ? undefined : platform.process?.getBuiltinModule?.('node:fs')
  if (files === undefined) return false
  try {
    const file = files.openSync(DEVICE)
    try {
      return files.readSync(file, bytes) === bytes.length
    } finally {
      files.closeSync(file)
    }
  } catch {
    return false
  }
}

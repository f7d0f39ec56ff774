/** Maximum length of a path, in characters. No common file system allows more. */
const MAX_LENGTH = 4_096
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:[. :].*)?$/i

/**
 * Returns a sentence that says why a path is invalid regardless of what is on the disk. `undefined` if it is valid.
 * @param windows Whether the path is for Windows. Defaults to the current platform.
 */
export function pathFault(path: string, windows = process.platform === 'win32'): string | undefined {
  if (path === '') return "it is empty. Use '.' for the workspace root."
  if (path.includes('\0')) return 'it contains a NUL character. Leave it out.'
  if (path.length > MAX_LENGTH) return `it has ${path.length} characters; the limit is ${MAX_LENGTH}.`
  if (!path.isWellFormed()) return 'it is not valid Unicode text.'
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return 'it is a URL. Give a path relative to the workspace root.'
  if (/^~(?:[\\/]|$)/.test(path)) return "'~' is not expanded. Give a path relative to the workspace root."
  return windows ? windowsFault(path) : foreignFault(path)
}

function foreignFault(path: string): string | undefined {
  if (!/^(?:[a-z]:[\\/]|\\\\)/i.test(path)) return undefined
  return "it is a Windows path, but this machine does not run Windows. Give a path relative to the workspace root, with '/'."
}

function windowsFault(path: string): string | undefined {
  if (/^[\\/]{2}/.test(path)) return 'it is a network or device path. Give a path relative to the workspace root.'
  const rest = path.replace(/^[a-z]:(?=[\\/])/i, '')
  if (rest.includes(':')) return "it has a ':' after the drive. Give a plain path relative to the workspace root."
  if (rest.split(/[\\/]/).some(segment => WINDOWS_DEVICE.test(segment))) {
    return 'it names a device. Give the path of a file or directory.'
  }
  return undefined
}

/**
 * Measures how deep the arrays and objects of a JSON text nest. Stops at `limit + 1`. It scans characters and does not
 * recurse, so deep nesting cannot overflow the stack.
 */
export function jsonDepth(text: string, limit: number): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 0x5c) index++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > deepest) deepest = depth
      if (deepest > limit) return deepest
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return deepest
}

/** How deep the arrays and objects of a JSON text nest, as far as `limit + 1`. Looks at no value, so it cannot overflow. */
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

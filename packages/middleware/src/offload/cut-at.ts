/** `index`, or one less where it would split a character in two. */
export function cutAt(text: string, index: number): number {
  const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(index - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(index))
  return isSplit ? index - 1 : index
}

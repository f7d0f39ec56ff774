const FENCE = /^([ \t]*)(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[ \t]*\2[ \t]*$|(?![\s\S]))/gm
const CODE_SPAN = /(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g
const ADDRESS = /\b(?:https?|file|wss?|postgres(?:ql)?):\/\/[^\s)>\]|]+/g
const QUOTATION = /"[^"\n]*"|“[^”]*”|(?<![\w’'])'(?=\S)[^'\n]{0,120}?(?<=\S)'(?!\w)/g

/**
 * Replaces code spans, code blocks, addresses and quotations by a word of the same length, because they are not our
 * prose.
 */
export function maskCode(text: string): string {
  return [FENCE, CODE_SPAN, ADDRESS, QUOTATION].reduce((masked, pattern) => masked.replace(pattern, blot), text)
}

/** Replaces every character that is not white space by `X`. */
export function blot(text: string): string {
  return text.replace(/\S/g, 'X')
}

/** Replaces every character except line ends by a space. */
export function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

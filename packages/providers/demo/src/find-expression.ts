const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bplus\b/gi, '+'],
  [/\bminus\b/gi, '-'],
  [/\b(?:times|multiplied by)\b/gi, '*'],
  [/\bdivided by\b/gi, '/'],
  [/\bto the power of\b/gi, '^'],
  [/\bsquared\b/gi, '^2'],
  [/\bcubed\b/gi, '^3'],
  [/[×x](?=\s*\d)/g, '*'],
  [/÷/g, '/'],
]

/** Finds the longest arithmetic expression in a question: numbers with operators between them. */
export function findExpression(question: string): string | undefined {
  let text = question
  for (const [word, sign] of WORDS) text = text.replace(word, sign)
  const found = text.match(/[\d(][\d\s.()+\-*/^%]*[\d)]/g) ?? []
  const sums = found
    .map(part => part.trim())
    .filter(part => /\d\s*[+\-*/^%]/.test(part) && !/^\d{4}-\d\d-\d\d$/.test(part))
  return sums.toSorted((a, b) => b.length - a.length)[0]
}

/** Finds the operation that a question applies to a counted number: "…, squared?", "…, times 3?". */
export function operationIn(question: string, number: number): string | undefined {
  if (/\bsquared\b/i.test(question)) return `${number}^2`
  if (/\bcubed\b/i.test(question)) return `${number}^3`
  if (/\b(?:doubled|twice)\b/i.test(question)) return `${number} * 2`
  if (/\bhalf\b|\bhalved\b/i.test(question)) return `${number} / 2`
  const pair = /\b(plus|minus|times|multiplied by|divided by)\s+(\d+(?:\.\d+)?)/i.exec(question)
  if (pair === null) return undefined
  const [, word = '', operand = ''] = pair
  const sign = { plus: '+', minus: '-', times: '*', 'multiplied by': '*', 'divided by': '/' }[word.toLowerCase()]
  return sign === undefined ? undefined : `${number} ${sign} ${operand}`
}

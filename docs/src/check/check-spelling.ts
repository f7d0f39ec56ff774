import { readFileSync } from 'node:fs'
import dictionary from 'dictionary-en'
import nspell from 'nspell'
import type { Page } from '../page.ts'
import type { Problem } from './problem.ts'
import { proseLines } from './prose-lines.ts'

const WORDS_FILE = new URL('words.txt', import.meta.url)
/** Addresses, targets of links, entities, names in angle brackets, placeholders in capitals. */
const NOT_PROSE = /\]\([^)]*\)|https?:\S+|&#?\w+;|<[^>]*>|\{\{[^}]*\}\}/g
const WORD = /[\p{L}][\p{L}'’]*/gu

/** Returns a function that finds the words of a document that neither the English dictionary nor `words.txt` has. */
export function createSpellingCheck(
  words: string = readFileSync(WORDS_FILE, 'utf8'),
): (document: Page) => readonly Problem[] {
  const speller = nspell({ aff: Buffer.from(dictionary.aff), dic: Buffer.from(dictionary.dic) })
  const own = new Set(
    words.split('\n').flatMap(line => (line === '' || line.startsWith('#') ? [] : [line.toLowerCase()])),
  )
  const known = new Map<string, boolean>()
  const isKnown = (word: string): boolean => {
    const cached = known.get(word)
    if (cached !== undefined) return cached
    const result = own.has(word.toLowerCase()) || speller.correct(word)
    known.set(word, result)
    return result
  }
  return ({ path: file, text }) => {
    const body = text.replace(/^---\n[\s\S]*?\n---\n/, front => front.replaceAll(/[^\n]/g, ''))
    return proseLines(body).flatMap(({ line, text: prose }) =>
      wordsOf(prose).flatMap(word =>
        isKnown(word) ? [] : [{ file, line, message: `'${word}' is not in the dictionary` }],
      ),
    )
  }
}

/** The words to check: not names of code, such as `useChat` or `AG_UI`, nor abbreviations in capitals. */
function wordsOf(prose: string): readonly string[] {
  const found = prose
    .replaceAll(NOT_PROSE, ' ')
    .replaceAll(/\S*[@_/\\.:=]\S*[\p{L}\d]\S*/gu, ' ')
    .matchAll(WORD)
  return [...found]
    .map(([word]) => word.replace(/['’]s?$/, '').replaceAll('’', "'"))
    .filter(word => word.length > 2 && !/\p{Ll}\p{Lu}|\p{Lu}{2}/u.test(word))
}

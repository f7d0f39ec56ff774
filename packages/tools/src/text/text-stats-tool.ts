import { toolError, toolOk } from '@parley/core'
import { defineReadTool } from '../define-built-in.ts'

/** Maximum length of a text. Segmenting this many characters takes about a second. */
const MAX_LENGTH = 1_000_000

/** The tool `text_stats`, which counts characters, words, lines, sentences and bytes. */
export const textStatsTool = defineReadTool({
  name: 'text_stats',
  description: 'Counts the characters (as a reader sees them), words, lines, sentences and UTF-8 bytes of a text.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false },
  execute: ({ text }) => {
    if (text.length > MAX_LENGTH) {
      return toolError(`The text has ${text.length} characters; up to ${MAX_LENGTH} are counted. Give a part of it.`)
    }
    const stats = {
      characters: count('grapheme', text),
      words: count('word', text),
      lines: text === '' ? 0 : text.split(/\r\n|\n|\r/).length - (/[\r\n]$/.test(text) ? 1 : 0),
      sentences: count('sentence', text),
      bytes: Buffer.byteLength(text),
    }
    const shown = Object.entries(stats).map(([name, value]) => `${name}: ${value}`)
    return toolOk(shown.join('\n'), stats)
  },
})

function count(granularity: 'grapheme' | 'word' | 'sentence', text: string): number {
  let found = 0
  for (const { segment, isWordLike } of new Intl.Segmenter('en', { granularity }).segment(text)) {
    if (granularity === 'word' ? isWordLike === true : granularity === 'grapheme' || segment.trim() !== '') found++
  }
  return found
}

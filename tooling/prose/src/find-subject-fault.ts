import { BASE_FORMS_OR_NOUNS, NOUNS_SELDOM_VERBS, VERBS, VERBS_SELDOM_NOUNS } from './verb-forms.ts'

/** Adverbs that may stand before the verb: `never asks twice` has no subject either. */
const ADVERBS: ReadonlySet<string> = new Set(
  'never always also still only not no-longer even just already neither either both then first rather simply'.split(
    ' ',
  ),
)
const CONDITIONS: ReadonlySet<string> = new Set(
  `when whenever if after before while once unless until where because although since as with without by in inside at on under
  during for from to of about above below between through within beyond beside across`.split(/\s+/),
)
/** After one of these, a word that is a noun or a verb is taken for a noun: "both stores". */
const QUANTIFIERS: ReadonlySet<string> = new Set(['both', 'either', 'neither'])
/** Words that only continue a sentence which began elsewhere, usually in the name of the `describe`. */
const CONTINUATIONS: ReadonlySet<string> = new Set('that which whose who whom and but or nor than'.split(' '))
const DETERMINERS: ReadonlySet<string> = new Set(
  `a an the its their his her our your it them him this these those every each all any both no none nothing everything anything
  something what whatever how whether one two three many several more most only once twice again either neither`.split(
    /\s+/,
  ),
)
/** After a word that is a noun or a verb, these show that it is a noun. */
const AFTER_NOUN: ReadonlySet<string> = new Set(
  `of that which who whose are were is was be have had do can could may might must cannot will would should never always still run
  wait begin end start stay keep share get take hold come go become belong carry count leave give show use need see lose make move
  reach return stop survive travel`.split(/\s+/),
)
/** After a word that is usually a noun, these leave it one. */
const AFTER_USUAL_NOUN: ReadonlySet<string> = new Set(
  'in inside from with without between for to on at by and or also only'.split(' '),
)
const LABEL = /^\d+[a-z]?:\s+/
const PLURAL_OR_VERB = /^[a-z]{3,}(?<![sui])s$/

/** What the beginning of a test name lacks; undefined for a name that begins with its subject. Code must be masked. */
export function findSubjectFault(name: string): 'subject' | 'clause' | 'continuation' | undefined {
  const sentence = name.replace(LABEL, '').replace(/^no longer\b/i, 'no-longer')
  const words = wordsOf(sentence)
  const [first = ''] = words
  if (CONTINUATIONS.has(first)) return 'continuation'
  if (CONDITIONS.has(first)) return beginsWithSubject(wordsOf(afterComma(sentence))) ? undefined : 'clause'
  return beginsWithSubject(words) ? undefined : 'subject'
}

/** What follows the first comma; empty if there is none. */
function afterComma(sentence: string): string {
  return /,\s+(.*)$/s.exec(sentence)?.[1] ?? ''
}

function beginsWithSubject(words: readonly string[]): boolean {
  const start = words.findIndex(word => !ADVERBS.has(word))
  const [first = '', next = ''] = start === -1 ? [] : words.slice(start)
  // The verb of "percent-encodes" is its last part.
  if (first === '' || VERBS.has(first.slice(first.lastIndexOf('-') + 1))) return false
  if (start > 0 && QUANTIFIERS.has(words[0] ?? '')) return true
  const shownAsNoun = next !== '' && (AFTER_NOUN.has(next) || (/..ed$/.test(next) && next !== 'undefined'))
  if (VERBS_SELDOM_NOUNS.has(first)) return shownAsNoun
  if (NOUNS_SELDOM_VERBS.has(first)) return shownAsNoun || AFTER_USUAL_NOUN.has(next)
  // A plural noun or a base form is not followed by an article: "echoes the text", "change how the model answers".
  const mayBeVerb = PLURAL_OR_VERB.test(first) || BASE_FORMS_OR_NOUNS.has(first)
  return !(mayBeVerb && DETERMINERS.has(next))
}

/** Words in lower case without the punctuation around them. */
function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .map(word => word.replace(/^[("'“]+|[.,:;!?)"'”]+$/g, ''))
    .filter(word => word !== '')
}
